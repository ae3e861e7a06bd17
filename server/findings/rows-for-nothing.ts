import { filledRows, type ObservedColumn } from "../profile/observed-column.ts";
import type { ObservedTable } from "../profile/observed-table.ts";
import { isSentinel, isSentinelDay, placeholderOf } from "./placeholders.ts";

/** So many columns of the row say that it stands for nothing, and few rows do. */
const least = { columns: 2, unique: 0.9 };
const most = { rows: 3 };

/**
 * Rows that stand as a whole for what is unknown, so that other tables can refer to one: key -1, `Unknown`, `N/A`, 1900-01-01.
 * They were put there on purpose. Such a row has placeholders in several columns, one of which hardly any two rows share. Pure.
 */
export function rowsForNothing(table: ObservedTable): ReadonlySet<number> {
  const columns = new Map<number, { count: number; isUnique: boolean }>();
  for (const column of table.columns) {
    const isUnique = column.values.length >= filledRows(column) * least.unique;
    for (const row of emptyAmongFilled(column)) {
      const before = columns.get(row);
      columns.set(row, { count: (before?.count ?? 0) + 1, isUnique: before?.isUnique ?? false });
    }
    for (const index of column.values.keys()) {
      if ((column.counts[index] ?? 0) > most.rows || !standsForNothing(column, index)) continue;
      for (const [row, value] of column.rows.entries()) {
        if (value !== index) continue;
        const before = columns.get(row);
        columns.set(row, {
          count: (before?.count ?? 0) + 1,
          isUnique: isUnique || (before?.isUnique ?? false),
        });
      }
    }
  }
  const found = [...columns].filter(([, { count, isUnique }]) => isUnique && count >= least.columns);
  return new Set(found.length > most.rows ? [] : found.map(([row]) => row));
}

/** The rows that have nothing where nearly all others have something. */
function emptyAmongFilled({ rows, values }: ObservedColumn): number[] {
  const empty: number[] = [];
  for (const [row, index] of rows.entries()) {
    if (index >= 0 && values[index]?.trim() !== "") continue;
    empty.push(row);
    if (empty.length > most.rows) return [];
  }
  return empty;
}

function standsForNothing({ values, numbers, moments, kind }: ObservedColumn, index: number): boolean {
  const number = numbers?.[index] ?? Number.NaN;
  if (!Number.isNaN(number)) return isSentinel(number);
  const moment = moments?.[index] ?? Number.NaN;
  if (!Number.isNaN(moment)) return isSentinelDay(moment);
  if (kind !== "text") return false;
  const value = values[index] ?? "";
  // The key of a row for nothing, among codes.
  return /^(-\d|0*9{3,})$/.test(value) || ["sure", "signs"].includes(placeholderOf(value) ?? "");
}

/** Whether all of the rows stand for nothing as a whole. Pure. */
export const areForNothing = (rows: Int32Array, forNothing: ReadonlySet<number>): boolean =>
  rows.every((row) => forNothing.has(row));
