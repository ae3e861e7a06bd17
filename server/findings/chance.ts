import { type Grouping, sizesOf } from "../profile/grouping.ts";
import { filledRows, type ObservedColumn } from "../profile/observed-column.ts";

/** What chance alone would give. Pure. */

/** The probability that two random rows have the same value. */
export function agreement(column: ObservedColumn): number {
  const filled = filledRows(column);
  if (filled === 0) return 0;
  let sum = 0;
  for (const count of column.counts) sum += (count / filled) ** 2;
  return sum;
}

/** How many rows repeat one that came before, beyond the first of each group. */
export function surplus(grouping: Grouping): number {
  let sum = 0;
  for (const size of sizesOf(grouping)) sum += Math.max(0, size - 1);
  return sum;
}

/** How many pairs of rows would be alike if each of these columns went its own way. */
export function expectedPairs(columns: readonly ObservedColumn[], rows: number): number {
  const alike = columns.reduce((product, column) => product * Math.max(agreement(column), 1 / rows), 1);
  return ((rows * (rows - 1)) / 2) * alike;
}

/**
 * How many values of a column would repeat one before if they were drawn at random from between the least and the
 * greatest; null where that says nothing: of texts.
 */
export function expectedRepeats(column: ObservedColumn): number | null {
  if (column.kind !== "integer" || !column.numbers) return null;
  let [least, greatest] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const number of column.numbers) {
    least = Math.min(least, number);
    greatest = Math.max(greatest, number);
  }
  const [drawn, from] = [filledRows(column), greatest - least + 1];
  // So many different ones are expected of so many drawn.
  return drawn - from * (1 - Math.exp(-drawn / from));
}
