import type { ObservedColumn } from "../profile/observed-column.ts";
import type { ObservedTable } from "../profile/observed-table.ts";

/** So many rows, of which so many follow each other at the same distance; and what changes no oftener is a period. */
const least = { rows: 60, regular: 0.95 };
const most = { changes: 0.2 };

const known = new WeakMap<ObservedTable, Int32Array | null>();

/**
 * The rows of a calendar in the order of its days: a table with one row for each moment of a column, at regular distances.
 * null for other tables. Pure.
 */
export function calendarOrder(table: ObservedTable): Int32Array | null {
  const before = known.get(table);
  if (before !== undefined) return before;
  const order = table.columns.map((column) => orderBy(table, column)).find((found) => found !== null) ?? null;
  known.set(table, order);
  return order;
}

function orderBy({ rowCount }: ObservedTable, { moments, values, nulls, rows }: ObservedColumn) {
  if (!moments || rowCount < least.rows || nulls > 0 || values.length < rowCount) return null;
  const momentOf = (row: number) => moments[rows[row] ?? -1] ?? Number.NaN;
  const order = Int32Array.from({ length: rowCount }, (_, row) => row).sort(
    (a, b) => momentOf(a) - momentOf(b),
  );
  const steps = Array.from(order.subarray(1), (row, at) => momentOf(row) - momentOf(order[at] ?? 0));
  const usual = steps.toSorted((a, b) => a - b)[steps.length >> 1] ?? 0;
  const regular = steps.filter((step) => step === usual).length;
  return usual > 0 && regular >= steps.length * least.regular ? order : null;
}

/** Whether a column of a calendar names periods, such as its months or the last days of its weeks. */
export function isPeriod({ rows }: ObservedColumn, order: Int32Array): boolean {
  let changes = 0;
  for (let at = 1; at < order.length; at++) if (rows[order[at] ?? 0] !== rows[order[at - 1] ?? 0]) changes++;
  return changes > 0 && changes <= order.length * most.changes;
}

/**
 * Whether a row of a calendar has the period of the day before or after it: a week that begins in one month and ends in the
 * next has two, and none of them is wrong. For each row by its number.
 */
export function goesWithItsNeighbor({ rows }: ObservedColumn, order: Int32Array): (row: number) => boolean {
  const places = new Int32Array(order.length);
  for (const [place, row] of order.entries()) places[row] = place;
  const at = (place: number) => rows[order[place] ?? -1];
  return (row) => {
    const place = places[row] ?? 0;
    return at(place) === at(place - 1) || at(place) === at(place + 1);
  };
}
