import type { Briefing } from "../briefing.ts";
import type { Wishes } from "../wishes.ts";
import { keyOf, type Table } from "./check.ts";
import { liveColumn } from "./find-checks.ts";
import { canBeWritten, isSetAside, rowsOf } from "./table-facts.ts";
import { isChosenTable, isExcludedTable, isNamedTable, weightOf } from "./wishes.ts";

export type RankedTables = {
  /** Most important first. */
  ranked: { table: Table; score: number }[];
  leftOut: { table: Table; reason: string }[];
};

/**
 * Ranks tables: those that people chose by name first, then those that receive rows, that others reference, and that
 * are large. Excluded, empty, unread, and seemingly set-aside tables are left out, with the reason.
 */
export function rankTables(briefing: Briefing, wishes: Wishes): RankedTables {
  const referred = new Set(
    briefing.tables.flatMap(({ columns }) =>
      columns.flatMap(({ references }) => (references ? [keyOf(references)] : [])),
    ),
  );
  const ranked: RankedTables["ranked"] = [];
  const leftOut: RankedTables["leftOut"] = [];
  for (const table of briefing.tables) {
    const reason = reasonAgainst(table, wishes);
    if (reason !== null) {
      leftOut.push({ table, reason });
      continue;
    }
    const rows = rowsOf(table, briefing.dataSource.dialect)?.rows ?? table.profile?.rows ?? 0;
    const score =
      weightOf(wishes, null, table) * 10 +
      (liveColumn(table, wishes) ? 30 : 0) +
      Math.min(35, Math.log10(rows + 1) * 5) +
      (referred.has(keyOf(table)) ? 10 : 0) -
      // A view shows data of tables that are checked themselves.
      (table.kind === "View" ? 15 : 0);
    ranked.push({ table, score });
  }
  const name = ({ table }: { table: Table }) => keyOf(table);
  ranked.sort((a, b) => b.score - a.score || (name(a) < name(b) ? -1 : 1));
  return { ranked, leftOut };
}

function reasonAgainst(table: Table, wishes: Wishes): string | null {
  if (!isChosenTable(wishes, table)) return "not among the chosen tables";
  if (isExcludedTable(wishes, table)) return "excluded";
  if (!canBeWritten(table.schemaName) || !canBeWritten(table.tableName))
    return "its name holds braces that a query takes for a parameter";
  if (isSetAside(table) && !isNamedTable(wishes, table))
    return "its name says that a tool keeps it for itself, or that it is set aside";
  if (!table.profile) return "it was not read: that failed or took too long, or there was no time for it";
  if (table.profile.rows === 0) return "it is empty";
  return null;
}
