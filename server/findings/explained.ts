import type { ObservedColumn } from "../profile/observed-column.ts";
import { isWholeKey, type ObservedTable } from "../profile/observed-table.ts";
import { wordsOf } from "./names.ts";

/** Values that few rows have explain nothing: any two rows have something in common. Nor do those of a column of many. */
const least = { rows: 4, most: 200 };
/** Two rows are the only ones of their country: what is so of all rows with one of a few values is so by that value. */
const ofFew = { rows: 2, values: 40, rowsPerValue: 10 };

/**
 * How well one value of another column tells which rows are doubted, from 0 to 1: refunds are the rows with a negative
 * amount, open orders those without a date of delivery. Such rows are a state of the business and no fault. The
 * harmonic mean of the share of doubted rows that have the value, and the share of rows with the value that are
 * doubted; NULL counts as a value, and so do all numbers below zero together. Columns of `besides` are left out. Pure.
 */
export function explainedBy(
  table: ObservedTable,
  doubted: Int32Array,
  besides: readonly string[],
): { share: number; column: string; value: string | null } | null {
  if (doubted.length < least.rows) return explainedOfFew(table, doubted, besides);
  let best: { share: number; column: string; value: string | null } | null = null;
  for (const { column, rows } of pointersWithin(table)) {
    if (besides.includes(column.name)) continue;
    let hit = 0;
    for (const row of doubted) hit += rows[row] ?? 0;
    const having = rows.reduce((sum, one) => sum + one, 0);
    if (hit < least.rows || having >= table.rowCount * 0.9) continue;
    const share = (2 * hit) / (doubted.length + having);
    if (share > (best?.share ?? 0)) best = { share, column: column.name, value: null };
  }
  for (const column of table.columns) {
    if (besides.includes(column.name)) continue;
    // One place more for NULL, which is all that a column of many values can tell.
    const hits = new Int32Array(column.values.length > least.most ? 1 : column.values.length + 1);
    for (const row of doubted) {
      const index = (column.rows[row] ?? -1) + 1;
      if (index < hits.length) hits[index] = (hits[index] ?? 0) + 1;
    }
    // What is there instead of what is missing, such as a name in place of a key.
    if (column.nulls >= table.rowCount / 2) {
      let filled = 0;
      for (const row of doubted) filled += Number((column.rows[row] ?? -1) >= 0);
      const share = (2 * filled) / (doubted.length + table.rowCount - column.nulls);
      if (filled >= least.rows && share > (best?.share ?? 0))
        best = { share, column: column.name, value: null };
    }
    const below = sharesBelowZero(column, doubted, table.rowCount);
    if (below > (best?.share ?? 0)) best = { share: below, column: column.name, value: null };
    for (const [index, hit] of hits.entries()) {
      const having = index === 0 ? column.nulls : (column.counts[index - 1] ?? 0);
      if (hit < least.rows || having >= table.rowCount * 0.9) continue;
      const share = (2 * hit) / (doubted.length + having);
      if (share > (best?.share ?? 0))
        best = { share, column: column.name, value: index === 0 ? null : (column.values[index - 1] ?? null) };
    }
  }
  return best;
}

/** What is given back, taken back, or booked the other way round: some rows of a column have numbers below zero. */
function sharesBelowZero(
  { numbers, counts, rows }: ObservedColumn,
  doubted: Int32Array,
  rowCount: number,
): number {
  if (!numbers) return 0;
  const isBelow = (index: number) => (numbers[index] ?? 0) < 0;
  const having = counts.reduce((sum, count, index) => sum + (isBelow(index) ? count : 0), 0);
  if (having < least.rows || having >= rowCount * 0.5) return 0;
  const hit = doubted.reduce((sum, row) => sum + Number(isBelow(rows[row] ?? -1)), 0);
  return hit < least.rows ? 0 : (2 * hit) / (doubted.length + having);
}

function explainedOfFew(
  { columns, rowCount }: ObservedTable,
  doubted: Int32Array,
  besides: readonly string[],
): { share: number; column: string; value: string | null } | null {
  const [first, ...others] = doubted;
  if (first === undefined || doubted.length < ofFew.rows) return null;
  for (const { name, values, counts, rows } of columns) {
    const index = rows[first] ?? -1;
    const isCategory =
      values.length <= ofFew.values && values.length * ofFew.rowsPerValue <= rowCount && index >= 0;
    if (besides.includes(name) || !isCategory || counts[index] !== doubted.length) continue;
    if (others.every((row) => rows[row] === index))
      return { share: 1, column: name, value: values[index] ?? null };
  }
  return null;
}

/** Each detector asks about the same table. */
const gathered = new WeakMap<ObservedTable, readonly Pointer[]>();

/** A column by which some rows point to others of their table, and 1 for each row that is pointed to. */
type Pointer = { column: ObservedColumn; rows: Uint8Array };

/**
 * The columns by which few rows of a table point to others of it: batches into which another was blended, and notes that
 * were corrected, differ from the rest for that.
 */
export function pointersWithin(table: ObservedTable): readonly Pointer[] {
  const before = gathered.get(table);
  if (before) return before;
  const key = wholeKeyOf(table);
  const found = key
    ? table.columns
        .filter((column) => column !== key && pointsBack(column, key, table))
        .map((column) => ({ column, rows: rowsPointedTo(column, key) }))
    : [];
  gathered.set(table, found);
  return found;
}

/** The column that each row has another value of, by which others may point to it. */
export const wholeKeyOf = (table: ObservedTable): ObservedColumn | undefined =>
  table.columns.find(
    (column) =>
      column.values.length === table.rowCount && (isWholeKey(column, table) || column === table.columns[0]),
  );

/** Mostly empty, as only some rows belong to another; and what is there is a key of this table. */
function pointsBack(
  column: ObservedColumn,
  key: ObservedColumn,
  { rowCount, tableName }: ObservedTable,
): boolean {
  const { references } = column;
  if (references) return references.tableName === tableName && references.columnName === key.name;
  if (column.kind !== key.kind || column.nulls < rowCount / 2 || column.values.length < least.rows)
    return false;
  const keys = new Set(key.values);
  return (
    column.values.every((value) => keys.has(value)) && (key.numbers === null || isNamedLikePart(column.name))
  );
}

const parts = new Set(
  "into of parent supersedes superseded replaces replaced corrects corrected merged previous next original reversal related".split(
    " ",
  ),
);
const isNamedLikePart = (name: string): boolean => wordsOf(name).some((word) => parts.has(word));

function rowsPointedTo(column: ObservedColumn, key: ObservedColumn): Uint8Array {
  const named = new Set(column.values);
  return Uint8Array.from(key.rows, (index) => Number(named.has(key.values[index] ?? "")));
}

/** Whether the doubted rows are the last ones that were read, or nearly so: work that is still in progress. */
export function isAtTheEnd(table: ObservedTable, doubted: Int32Array): boolean {
  const first = doubted[0];
  if (first === undefined || table.rowCount === 0) return false;
  const tail = table.rowCount - first;
  return tail <= table.rowCount * 0.2 && doubted.length >= tail * 0.6 && doubted.length >= 2;
}
