import type { BriefedTable, Briefing } from "../briefing.ts";
import { keyOf } from "./check.ts";
import { isSetAside } from "./table-facts.ts";
import { isNamedTable, isWantedTable, weightOf, wishesOf } from "./wishes.ts";

type Unread = Omit<BriefedTable, "profile" | "context">;

/**
 * The tables worth profiling, most important first: there is only time for some. Excludes tables that people excluded
 * or that are set aside. After executions, only the tables of its queries are read again.
 */
export function tablesToProfile<T extends Unread>(
  tables: readonly T[],
  about: Pick<Briefing, "actor" | "queries" | "occasion">,
): T[] {
  const { occasion, queries } = about;
  const wishes = wishesOf(about);
  const isAfterwards =
    occasion.trigger === "SubscriptionExecution" &&
    occasion.revision === null &&
    occasion.finishedExecutionIds.length > 0;
  const isRead = ({ tableName }: Unread) => queries.some(({ sql }) => sql.includes(tableName));
  const isWanted = (table: Unread) =>
    isWantedTable(wishes, table) && (isNamedTable(wishes, table) || !isSetAside(table));
  const score = (table: Unread) =>
    weightOf(wishes, null, table) +
    (isRead(table) ? 50 : 0) +
    (table.kind === "Table" ? 10 : 0) +
    Math.log10((table.rowEstimate ?? 0) + 1);
  return tables
    .filter((table) => (isAfterwards ? isRead(table) : isWanted(table)))
    .map((table) => ({ table, score: score(table), key: keyOf(table) }))
    .sort((a, b) => b.score - a.score || (a.key < b.key ? -1 : 1))
    .map(({ table }) => table);
}
