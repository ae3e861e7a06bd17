import type { ObservedColumn } from "../../profile/observed-column.ts";
import type { ObservedDatabase } from "../candidate.ts";
import { namesRows, parentsIn, valuesOf } from "./parents.ts";

/** So much of the values may name no row, as wrong references do. */
const mostUnknown = 0.02;

/**
 * Whether the numbers of a column are keys of a table that leaves the same gap: whoever gave out 1001 to 1180 and then 2181
 * has staff of two series, and whatever refers to them has numbers of both. Keys that have numbers in between say nothing.
 */
export function isGapOfKeys(
  column: ObservedColumn,
  { end, nearest }: { end: number; nearest: number },
  database: ObservedDatabase,
): boolean {
  if (column.kind !== "integer") return false;
  const [low, high] = [Math.min(end, nearest), Math.max(end, nearest)];
  const isDoubted = (number: number) => (nearest > end ? number >= nearest : number <= nearest);
  return parentsIn(database).some((parent) => {
    const { numbers } = parent.column;
    if (parent.column === column || parent.column.kind !== "integer" || !numbers || !namesRows(parent))
      return false;
    if (numbers.some((number) => number > low && number < high)) return false;
    const known = valuesOf(parent.column);
    const unknown = [...column.values.keys()].filter((index) => !known.has(column.values[index] ?? ""));
    return (
      unknown.length <= column.values.length * mostUnknown &&
      !unknown.some((index) => isDoubted(column.numbers?.[index] ?? Number.NaN))
    );
  });
}
