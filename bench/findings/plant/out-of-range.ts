import { isNamedLikeKey } from "../../../server/findings/names.ts";
import {
  type CleanColumn,
  change,
  decimalsOf,
  isNumeric,
  isOfMoments,
  isUnique,
  type Place,
  type Planter,
} from "./place.ts";

/** Digits that slipped, signs that turned, and dates of another century. */
export const plantOutOfRange: Planter = ({ cells }) =>
  cells
    .filter(({ isDeclared, references }) => !isDeclared && !references)
    .flatMap((column) => (isOfMoments(column) ? years(column) : isNumeric(column) ? numbers(column) : []));

function numbers(column: CleanColumn): Place[] {
  const { name, observed, kind } = column;
  const values = [...(observed.numbers ?? [])].toSorted((a, b) => a - b);
  const isKey = isNamedLikeKey(name) || (isUnique(column) && kind === "integer");
  if (values.length < 20 || isKey) return [];
  const [low = 0, high = 0, median = 0] = [values[0], values.at(-1), values[Math.floor(values.length / 2)]];
  const places: Place[] = [];
  const write = (value: string, factor: number) => (Number(value) * factor).toFixed(decimalsOf(value));
  for (const factor of [10, 100, 1000]) {
    const isBeyond = (value: string) =>
      Number(value) >= median &&
      Number(value) * factor > high * (low >= 0 && high < 1000 && factor === 10 ? 2 : 3);
    if (high > 0 && observed.values.some(isBeyond))
      places.push({
        columns: [name],
        how: `${factor} times as much`,
        apply: change(column, (value) => write(value, factor), isBeyond),
      });
  }
  if (low >= 0 && median > 0)
    places.push({
      columns: [name],
      how: "a negative sign",
      apply: change(
        column,
        (value) => write(value, -1),
        (value) => Number(value) >= median,
      ),
    });
  return places;
}

function years(column: CleanColumn): Place[] {
  const { name, observed } = column;
  const [low, high] = [Math.min(...yearsOf(observed.values)), Math.max(...yearsOf(observed.values))];
  if (observed.values.length < 20 || high - low > 120) return [];
  const year = (text: string) => (value: string) => `${text}${value.slice(4)}`.replace("-02-29", "-02-28");
  return ["2099", "2205", "1023", "0201"]
    .filter((text) => Number(text) > high + 20 || Number(text) < low - 100)
    .map((text) => ({ columns: [name], how: `in the year ${text}`, apply: change(column, year(text)) }));
}

const yearsOf = (values: readonly string[]) => [...new Set(values.map((value) => Number(value.slice(0, 4))))];
