import type { Random } from "../../../faults/random.ts";
import { chosen, isOfWords, type Planter } from "./place.ts";

/** A frequent value, written a little differently. */
export const plantVariant: Planter = ({ cells }) =>
  cells
    .filter(
      (column) =>
        isOfWords(column) &&
        !column.isDeclared &&
        column.observed.values.length * 5 <= column.observed.rows.length,
    )
    .flatMap((column) => {
      const { values, counts } = column.observed;
      const known = new Set(values.map((value) => value.toLowerCase().trim()));
      const frequent = values.filter(
        (value, index) => (counts[index] ?? 0) >= 10 && /\p{L}{3}/u.test(value) && value.length <= 40,
      );
      if (frequent.length === 0) return [];
      return ways.map(([how, write]) => ({
        columns: [column.name],
        how,
        apply: (rows, random) => {
          const value = random.pick(frequent);
          const other = write(value, random);
          const isNew =
            other !== value &&
            !values.includes(other) &&
            (how !== "a typo" || !known.has(other.toLowerCase()));
          if (!isNew) return [];
          const having = rows.filter((row) => row[column.index] === value);
          const changed = chosen(
            having,
            random,
            rows.length,
            Math.min(rows.length * 0.01, having.length / 10),
          );
          for (const row of changed) row[column.index] = other;
          return changed;
        },
      }));
    });

const ways: [string, (value: string, random: Random) => string][] = [
  ["upper case", (value) => (value === value.toUpperCase() ? value.toLowerCase() : value.toUpperCase())],
  ["lower case", (value) => value.toLowerCase()],
  ["a space around it", (value, random) => random.pick([` ${value}`, `${value} `])],
  ["two spaces", (value) => value.replace(" ", "  ")],
  ["a space that does not break", (value) => value.replace(" ", "\u00a0")],
  [
    "other punctuation",
    (value) =>
      /[ _-]/.test(value) ? value.replace(/[ _-]/, (char) => (char === "-" ? " " : "-")) : `${value}.`,
  ],
  ["a typo", typo],
  ["a typo", typo],
];

/** Two letters exchanged, or one left out or doubled; never the first. */
function typo(value: string, random: Random): string {
  if (value.length < 6) return value;
  const at = random.between(1, value.length - 2);
  const way = random.between(0, 2);
  if (way === 0)
    return `${value.slice(0, at)}${value.charAt(at + 1)}${value.charAt(at)}${value.slice(at + 2)}`;
  if (way === 1) return `${value.slice(0, at)}${value.slice(at + 1)}`;
  return `${value.slice(0, at)}${value.charAt(at)}${value.slice(at)}`;
}
