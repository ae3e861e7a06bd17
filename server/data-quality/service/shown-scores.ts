import { and, asc, eq, sql } from "drizzle-orm";
import type { SignedIn } from "../../auth/principal.ts";
import type { Kind } from "../../data-sources/kinds.ts";
import { getDataSource } from "../../data-sources/service/load-data-sources.ts";
import { mayBeTable } from "../../data-sources/service/may-be-table.ts";
import { keyIn, type Named } from "../../data-sources/table-key.ts";
import { db } from "../../db/client.ts";
import { tableScores } from "../evaluations/tables.ts";
import { lastMeasuredOf, type StoredScore } from "../measured-score.ts";
import type { WatchedTable } from "./table-scores.ts";

/** The maximum number of contracts listed per table; more would be unusual. */
const maxContracts = 20;

/** A table as it is shown with its score: with its history, and the contracts that watch it. */
export function shownScore(
  { dataSourceId: _, history, ...score }: typeof tableScores.$inferSelect,
  watching: readonly WatchingContract[] | undefined,
) {
  return {
    ...score,
    ...lastMeasuredOf(score),
    history: shownHistory(history),
    ...shownContracts(watching),
  };
}

type WatchingContract = { id: number; name: string; enabled: boolean };

export function shownContracts(watching: readonly WatchingContract[] = []) {
  return {
    contracts: watching.slice(0, maxContracts).map(({ id, name, enabled }) => ({ id, name, enabled })),
    contractCount: watching.length,
  };
}

/** The latest scores of some tables, as they are named there; by `scoreKey`. */
export async function historiesOf(
  tables: readonly WatchedTable[],
): Promise<Map<string, ReturnType<typeof shownHistory>>> {
  const given = tables.map(({ dataSourceId, schemaName, tableName }) => [
    dataSourceId,
    schemaName,
    tableName,
  ]);
  const rows = await db
    .select({
      dataSourceId: tableScores.dataSourceId,
      schemaName: tableScores.schemaName,
      tableName: tableScores.tableName,
      history: tableScores.history,
    })
    .from(tableScores)
    .where(
      sql`(${tableScores.dataSourceId}, ${tableScores.schemaName}, ${tableScores.tableName}) in (
        select (each ->> 0)::integer, each ->> 1, each ->> 2 from json_array_elements(${JSON.stringify(given)}::json) as each)`,
    );
  return new Map(rows.map((row) => [scoreKey(row), shownHistory(row.history)]));
}

/**
 * A table's latest score and history, with the contracts that watch it; null if it has not been evaluated. The caller
 * checks access.
 */
export async function getTableQuality(
  { id, kind }: { id: number; kind: Kind },
  table: Named,
  watching: readonly WatchingContract[],
) {
  const rows = await db
    .select()
    .from(tableScores)
    .where(and(eq(tableScores.dataSourceId, id), mayBeTable(kind, tableScores, table)))
    .orderBy(asc(tableScores.schemaName), asc(tableScores.tableName));
  const score = rows.find((row) => keyIn(kind, row) === keyIn(kind, table));
  return score ? shownScore(score, watching) : null;
}

/** The latest scores of one table, oldest first; none if it has not been evaluated. Throws not_found for its data source. */
export async function getTableHistory(ctx: SignedIn, table: WatchedTable) {
  const { id } = await getDataSource(ctx, table.dataSourceId);
  const histories = await historiesOf([{ ...table, dataSourceId: id }]);
  return { items: histories.get(scoreKey(table)) ?? [] };
}

const shownHistory = (history: readonly StoredScore[]) =>
  history.map((each) => ({ couldNotEvaluate: false, ...each }));

export const scoreKey = ({ dataSourceId, schemaName, tableName }: WatchedTable) =>
  JSON.stringify([dataSourceId, schemaName, tableName]);
