import type { CleanColumn, Planter } from "./place.ts";
import { change, isNumeric, isOfMoments, isOfWords, isProse, isUnique } from "./place.ts";

/** Nothing, or a blank text, where every row has a value. */
export const plantMissingValue: Planter = ({ cells }) =>
  cells
    .filter(
      ({ observed, isDeclared }) =>
        !isDeclared && observed.nulls === 0 && observed.values.every((value) => value.trim() !== ""),
    )
    .flatMap((column) => [
      { columns: [column.name], how: "NULL", apply: change(column, () => null) },
      ...(column.kind === "text"
        ? [
            {
              columns: [column.name],
              how: "blank",
              apply: change(column, (_, random) => random.pick(["", "", " "])),
            },
          ]
        : []),
    ]);

/** A value that stands for nothing. */
export const plantDisguisedMissing: Planter = ({ cells }) =>
  cells
    .filter((column) => !column.isDeclared && !column.references && !isUnique(column))
    .flatMap((column) =>
      standIns(column).map((value) => ({
        columns: [column.name],
        how: `“${value}”`,
        apply: change(column, () => value),
      })),
    );

function standIns(column: CleanColumn): string[] {
  const { values } = column.observed;
  if (values.length < 8) return [];
  if (isOfMoments(column)) {
    const moments = column.observed.moments ?? [];
    const time =
      values[0]?.slice(10) === "" ? "" : (values[0]?.slice(10).replace(/\d\d:\d\d:\d\d/, "00:00:00") ?? "");
    const isBeyond = (day: string) => Date.parse(day) < minOf(moments) || Date.parse(day) > maxOf(moments);
    return ["1900-01-01", "1970-01-01", "9999-12-31"].filter(isBeyond).map((day) => `${day}${time}`);
  }
  if (isNumeric(column)) {
    const numbers = column.observed.numbers ?? [];
    const [low, high] = [minOf(numbers), maxOf(numbers)];
    return ["-1", "-999", "9999", "99999", "999999"].filter((text) => {
      const number = Number(text);
      return number < 0 ? low >= 0 : number > high * 1.5;
    });
  }
  if (!isOfWords(column) || isProse(column)) return [];
  const known = new Set(values.map((value) => value.toLowerCase()));
  return ["n/a", "N/A", "-", "unknown", "null", "none", "TBD", "?", "xxx", "test", "not available"].filter(
    (value) => !known.has(value.toLowerCase()),
  );
}

const minOf = (numbers: Iterable<number>) => [...numbers].reduce((a, b) => Math.min(a, b), Infinity);
const maxOf = (numbers: Iterable<number>) => [...numbers].reduce((a, b) => Math.max(a, b), -Infinity);
