import type { Briefing } from "../briefing.ts";
import type { Wishes } from "../wishes.ts";
import type { Check, Table, TableName } from "./check.ts";
import { findChecks } from "./find-checks.ts";
import { allowanceFor } from "./freshness-allowance.ts";
import { findTable, profiledColumns } from "./table-facts.ts";

/** What becomes of a check when the tables are no longer what they were. */

/** The same without these columns; null where nothing is left that could be watched. */
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
      // Fewer columns of a row can be the same in rows that are not.
      return isSame ? { ...check, shownWith: left(check.shownWith) } : null;
    }
    case "Referential":
      return isGone(check.column) ? null : { ...check, shownWith: left(check.shownWith) };
  }
}

/** The tables that a check reads. */
export const tablesOf = (check: Check): TableName[] =>
  check.kind === "Referential" ? [check, check.references] : [check];

/** The check as the tables allow it now: itself where nothing is gone; null where it has lost its ground. */
export function mended(check: Check, tables: readonly Table[]): Check | null {
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

/** The same check with the bound that today's profile speaks for, where that is wider; null where it is not. */
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
  // Where no more rows come, the check is right, and its bound is not what has to change.
  return allowance && !allowance.hasStopped && allowance.maxAgeMinutes > check.maxAgeMinutes
    ? { ...check, maxAgeMinutes: allowance.maxAgeMinutes }
    : null;
}
