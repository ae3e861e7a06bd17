import type { Briefing } from "../briefing.ts";
import type { Wishes } from "../wishes.ts";
import type { Check, Table, TableName } from "./check.ts";
import { findChecks } from "./find-checks.ts";
import { allowanceFor } from "./freshness-allowance.ts";
import { findTable, profiledColumns } from "./table-facts.ts";

/** Adapts a check to tables that have changed. */

/** The check without these columns; null if there is nothing left to watch. */
export function withoutColumns(check: Check, isGone: (column: string) => boolean): Check | null {
  const left = (columns: readonly string[]) => columns.filter((column) => !isGone(column));
  switch (check.kind) {
    case "Volume":
      return check;
    case "Freshness":
      return isGone(check.column) ? null : check;
    case "NullRate": {
      const columns = left(check.columns);
      return columns.length === 0 ? null : { ...check, columns, shownWith: left(check.shownWith) };
    }
    case "Uniqueness": {
      const columns = left(check.columns);
      const isSame = columns.length === check.columns.length;
      // With fewer columns to compare, different rows may look the same.
      return isSame ? { ...check, shownWith: left(check.shownWith) } : null;
    }
    case "Referential":
      return isGone(check.column) ? null : { ...check, shownWith: left(check.shownWith) };
  }
}

/** The tables that a check reads. */
export const tablesOf = (check: Check): TableName[] =>
  check.kind === "Referential" ? [check, check.references] : [check];

/** The check, adapted to the current tables: unchanged if nothing is gone; null if it no longer makes sense. */
export function adapted(check: Check, tables: readonly Table[]): Check | null {
  const found = tablesOf(check).map((name) => findTable(tables, name));
  if (found.includes(undefined)) return null;
  const has = (table: Table | undefined, column: string) =>
    table?.columns.some(({ name }) => name === column) ?? false;
  if (check.kind === "Referential" && !has(found[1], check.references.columnName)) return null;
  const isWhole = columnsAreThere(check, (column) => has(found[0], column));
  return isWhole ? check : withoutColumns(check, (column) => !has(found[0], column));
}

function columnsAreThere(check: Check, has: (column: string) => boolean): boolean {
  const kept = withoutColumns(check, (column) => !has(column));
  return kept !== null && JSON.stringify(kept) === JSON.stringify(check);
}

/** The check with the bound from the current profile, if that is wider; otherwise null. */
export function widened(check: Check, briefing: Briefing, wishes: Wishes): Check | null {
  const table = findTable(briefing.tables, check);
  if (!table) return null;
  if (check.kind === "Volume") {
    const [now] = findChecks(table, briefing, wishes, ["Volume"]);
    return now?.check.kind === "Volume" && now.check.minRows < check.minRows ? now.check : null;
  }
  if (check.kind !== "Freshness") return null;
  const column = profiledColumns(table).find(({ name }) => name === check.column);
  const allowance = column ? allowanceFor(column) : null;
  // If rows have stopped arriving, the check is right, and its bound must not change.
  return allowance && !allowance.hasStopped && allowance.maxAgeMinutes > check.maxAgeMinutes
    ? { ...check, maxAgeMinutes: allowance.maxAgeMinutes }
    : null;
}
