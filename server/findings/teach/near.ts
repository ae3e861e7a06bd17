import { filledRows, type ObservedColumn, rowsWith } from "../../profile/observed-column.ts";
import type { ObservedTable } from "../../profile/observed-table.ts";
import { NearTexts } from "../near-texts.ts";
import { placeholderOf } from "../placeholders.ts";
import { rowsOfValues } from "../rare-values.ts";
import type { Reason } from "./reason.ts";
import { valuesCondition } from "./values-condition.ts";

/** A frequent value has so many rows, and so many times those of what is taken for a slip of it; words likewise. */
const frequent = { rows: 5, times: 5, rowsOfWord: 20, timesOfWord: 10 };
/** Where so many rows have a frequent value, values repeat. Elsewhere, a rare one means nothing. */
const repeating = 0.6;
/** Rare is what so few rows have, where so few rows have such values. */
const rarest = { rows: 2, share: 0.05 };
/** Columns of more different texts are left alone: comparing them takes long, and in them hardly anything repeats. */
const mostValues = 20_000;
const lengths = { short: 2, long: 20, word: 5 };

/** Texts that are a slip away from a frequent one, and values that hardly any row has where values repeat. Pure. */
export const nearReasons = (table: ObservedTable): Reason[] =>
  table.columns.flatMap((column) =>
    column.kind === "text" && column.values.length <= mostValues ? reasonsOf(column) : [],
  );

function reasonsOf(column: ObservedColumn): Reason[] {
  const { name } = column;
  const values = [...column.values.keys()].filter((index) => {
    const value = column.values[index] ?? "";
    return value.trim() !== "" && placeholderOf(value) === null;
  });
  const filled = filledRows(column);
  const known = values.filter((index) => countOf(column, index) >= frequent.rows);
  const few = values.filter((index) => countOf(column, index) <= rarest.rows);
  const isRepeating = rowsOfValues(column, known) >= filled * repeating;
  const isRare = isRepeating && rowsOfValues(column, few) <= filled * rarest.share;
  const slips = slipsOf(column, values, known);
  const replaced = isRepeating ? withOneReplaced(column, known, few) : [];
  const found = [
    { what: "Slip", indexes: slips, prior: 0.5, because: `is nearly the same as a frequent ${name}` },
    {
      ...{ what: "Replaced", prior: 0.3 },
      indexes: replaced.filter((index) => !slips.includes(index)),
      because: `differs from a frequent ${name} in one character`,
    },
    {
      ...{ what: "Rare", prior: 0.2 },
      indexes: isRare ? few : [],
      because: "has a value that hardly any row has, where other values repeat",
    },
    {
      ...{ what: "Word", prior: 0.35 },
      indexes: withNearWord(column, values),
      because: `has a word that is nearly the same as a frequent one of ${name}`,
    },
  ];
  return found.flatMap(({ what, indexes, ...rest }) =>
    indexes.length === 0
      ? []
      : [
          {
            key: `${what} ${name}`,
            kind: "Variant" as const,
            column: name,
            families: [what],
            rows: rowsWith(column, indexes),
            condition: valuesCondition(column, indexes),
            ...rest,
          },
        ],
  );
}

const countOf = ({ counts }: ObservedColumn, index: number) => counts[index] ?? 0;

function slipsOf(column: ObservedColumn, values: readonly number[], known: readonly number[]): number[] {
  const text = (index: number) => column.values[index] ?? "";
  const near = new NearTexts(known.map(text));
  return values.filter((value) =>
    near.near(text(value)).some(({ index }) => {
      const other = known[index] ?? 0;
      const isFrequent = countOf(column, other) >= frequent.times * countOf(column, value);
      return isFrequent && differInLetters(text(value), text(other));
    }),
  );
}

/** Numbers that differ are other numbers. */
const differInLetters = (one: string, other: string) => one.replace(/\d+/g, "") !== other.replace(/\d+/g, "");

/** Short texts of the same length as a frequent one, with one character that is another, and no digit. */
function withOneReplaced(
  { values }: ObservedColumn,
  known: readonly number[],
  few: readonly number[],
): number[] {
  const isShort = (text: string) => text.length >= lengths.short && text.length <= lengths.long;
  const without = (text: string, at: number) => `${text.slice(0, at)}\0${text.slice(at + 1)}`;
  const frequentOnes = new Set<string>();
  for (const index of known) {
    const text = values[index] ?? "";
    if (isShort(text)) for (const at of text.split("").keys()) frequentOnes.add(without(text, at));
  }
  return few.filter((index) => {
    const text = values[index] ?? "";
    const isReplaced = (at: number) => !/\d/.test(text[at] ?? "") && frequentOnes.has(without(text, at));
    return isShort(text) && [...text.split("").keys()].some(isReplaced);
  });
}

const wordsOf = (text: string) =>
  new Set(text.split(/[^\p{L}\p{N}]+/u).filter((word) => word.length >= lengths.word));

/** Texts with a word that is hardly ever used, and a slip away from one that often is. */
function withNearWord(column: ObservedColumn, values: readonly number[]): number[] {
  const rows = new Map<string, number>();
  const wordsAt = new Map(values.map((index) => [index, wordsOf(column.values[index] ?? "")]));
  for (const [index, words] of wordsAt)
    for (const word of words) rows.set(word, (rows.get(word) ?? 0) + countOf(column, index));
  const known = [...rows].filter(([, count]) => count >= frequent.rowsOfWord).map(([word]) => word);
  if (known.length === 0 || rows.size > mostValues) return [];
  const near = new NearTexts(known);
  const isSlip = ([word, count]: [string, number]) =>
    near.near(word).some(({ index }) => (rows.get(known[index] ?? "") ?? 0) >= frequent.timesOfWord * count);
  const slips = new Set([...rows].filter(isSlip).map(([word]) => word));
  return values.filter((index) => [...(wordsAt.get(index) ?? [])].some((word) => slips.has(word)));
}
