import type { ObservedColumn } from "../profile/observed-column.ts";
import type { ObservedTable } from "../profile/observed-table.ts";
import { isNamedLikeKey, isNamedLikeLastChange } from "./names.ts";

/** A column of numbers or of moments, with the measure of each row; NaN where it has none. */
export type Measured = { column: ObservedColumn; at: number; isMoment: boolean; rows: Float64Array };

/** The columns that can be compared and reckoned with. Pure. */
export function measuredColumns(table: ObservedTable): Measured[] {
  return table.columns.flatMap((column, at) => {
    const measures = column.numbers ?? column.moments;
    if (!measures) return [];
    const rows = new Float64Array(column.rows.length);
    for (const [row, index] of column.rows.entries()) rows[row] = measures[index] ?? Number.NaN;
    return [{ column, at, isMoment: column.numbers === null, rows }];
  });
}

/** Numbers that name a thing, or that only count rows: nothing can be reckoned with them. */
export const isIdentifier = ({ column }: Measured): boolean =>
  column.isPrimaryKey || column.references !== undefined || isNamedLikeKey(column.name) || isCounter(column);

/** When a row was written last: each row by itself, and maybe after anything that it tells. */
export const isLastChange = ({ name, moments }: ObservedColumn): boolean =>
  moments !== null && isNamedLikeLastChange(name);

/** Each number once, and hardly a number left out. */
export function isCounter({ numbers, values, rows, nulls }: ObservedColumn): boolean {
  if (!numbers || values.length < 20 || values.length < rows.length - nulls) return false;
  let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const number of numbers) {
    if (!Number.isInteger(number)) return false;
    if (number < low) low = number;
    if (number > high) high = number;
  }
  return high - low + 1 <= values.length * 1.2;
}

/** For a share of exceptions: 0 for one in one, 1 for one in ten thousand. */
export const rarityOf = (exceptions: number, all: number): number =>
  exceptions === 0 ? 0 : Math.min(1, Math.log10(all / exceptions) / 4);

/** The middle one; NaN of nothing. */
export function medianOf(numbers: readonly number[] | Float64Array): number {
  return Float64Array.from(numbers).sort()[Math.floor(numbers.length / 2)] ?? Number.NaN;
}

/** How alike two columns order their rows, from -1 to 1, by the ranks of some thousand rows. */
export function rankCorrelation(left: Measured, right: Measured): number {
  const rows: number[] = [];
  const step = Math.max(1, Math.floor(left.rows.length / 4000));
  for (let row = 0; row < left.rows.length; row += step)
    if (!Number.isNaN(left.rows[row]) && !Number.isNaN(right.rows[row])) rows.push(row);
  if (rows.length < 3) return 0;
  const [x, y] = [ranksOf(rows, left.rows), ranksOf(rows, right.rows)];
  const mean = (rows.length - 1) / 2;
  let [xy, xx, yy] = [0, 0, 0];
  for (const [index, rank] of x.entries()) {
    const [dx, dy] = [rank - mean, (y[index] ?? 0) - mean];
    xy += dx * dy;
    xx += dx * dx;
    yy += dy * dy;
  }
  return xx === 0 || yy === 0 ? 0 : xy / Math.sqrt(xx * yy);
}

/** Equal measures share the mean of their ranks. */
function ranksOf(rows: readonly number[], measures: Float64Array): Float64Array {
  const value = (index: number) => measures[rows[index] ?? 0] ?? 0;
  const order = [...rows.keys()].sort((a, b) => value(a) - value(b));
  const ranks = new Float64Array(rows.length);
  for (let start = 0; start < order.length; ) {
    let end = start;
    while (end + 1 < order.length && value(order[end + 1] ?? 0) === value(order[start] ?? 0)) end++;
    for (let place = start; place <= end; place++) ranks[order[place] ?? 0] = (start + end) / 2;
    start = end + 1;
  }
  return ranks;
}
