import { and, asc, getTableColumns, inArray, isNull, sql } from "drizzle-orm";
import type { SignedIn } from "../../auth/principal.ts";
import { isDatabaseKind } from "../../data-sources/kinds.ts";
import { listKnownTables } from "../../data-sources/service/known-tables.ts";
import { getDataSource, listDataSources } from "../../data-sources/service/load-data-sources.ts";
import { db } from "../../db/client.ts";
import { coverageOf } from "../coverage.ts";
import { Decimal } from "../decimal.ts";
import { tableScores } from "../evaluations/tables.ts";
import { lastMeasuredOf, type StoredScore } from "../measured-score.ts";
import { roundScore } from "../score.ts";
import { healthyScore } from "../severities.ts";
import { contracts } from "../tables.ts";
import type { WatchedTable } from "./table-scores.ts";

type Filter = {
  projectId?: number | undefined;
  dataSourceId?: number | undefined;
  search?: string | undefined;
  /** If more tables have a score, their histories are empty; without it, none is. */
  historiesUpTo?: number | undefined;
};

/** The maximum number of contracts listed per table; more would be unusual. */
const maxContracts = 20;

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

/**
 * The quality of every database visible to the caller: each table's latest score and history, the contracts that watch
 * it, and the tables without a contract. Histories are most of what there is to read of many tables.
 */
export async function getOverview(ctx: SignedIn, { projectId, dataSourceId, search, historiesUpTo }: Filter) {
  const visible = (await listDataSources(ctx, { projectId })).items;
  const sources = visible.filter(({ id, kind }) => id === (dataSourceId ?? id) && isDatabaseKind(kind));
  const ids = sources.map(({ id }) => id);
  const ofSources = inArray(tableScores.dataSourceId, ids);
  const history =
    historiesUpTo === undefined
      ? tableScores.history
      : sql<
          StoredScore[]
        >`case when (select count(*) from ${tableScores} where ${ofSources}) <= ${historiesUpTo}
          then ${tableScores.history} else '[]'::jsonb end`;
  const [scores, watching, known] = await Promise.all([
    db
      .select({ ...getTableColumns(tableScores), history: sql<StoredScore[]>`${history}` })
      .from(tableScores)
      .where(ofSources)
      .orderBy(asc(tableScores.schemaName), asc(tableScores.tableName)),
    db
      .select({
        id: contracts.id,
        name: contracts.name,
        enabled: contracts.enabled,
        dataSourceId: contracts.dataSourceId,
        schemaName: contracts.schemaName,
        tableName: contracts.tableName,
      })
      .from(contracts)
      .where(and(inArray(contracts.dataSourceId, ids), isNull(contracts.archivedAt)))
      .orderBy(asc(contracts.name), asc(contracts.id)),
    listKnownTables(ids),
  ]);
  const scoresBySource = Map.groupBy(scores, (score) => score.dataSourceId);
  const watchingBySource = Map.groupBy(watching, (contract) => contract.dataSourceId);
  return {
    items: sources.map(({ id, name, kind }) => {
      const scored = (scoresBySource.get(id) ?? []).map((score) => ({ ...score, ...lastMeasuredOf(score) }));
      const measured = scored.flatMap((score) => score.measured ?? []);
      const own = watchingBySource.get(id) ?? [];
      const byTable = Map.groupBy(own, keyOf);
      const scoredKeys = new Set(scored.map(keyOf));
      const schema = known.get(id);
      return {
        dataSourceId: id,
        dataSourceName: name,
        averageScore: averageScore(scored.map(({ currentScore }) => currentScore)),
        tableCount: scored.length,
        healthyTables: scored.filter(({ currentScore }) => currentScore >= healthyScore).length,
        degradingTables: scored.filter(({ trend }) => trend === "Degrading").length,
        activeContractCount: own.filter(({ enabled }) => enabled).length,
        measured: {
          averageScore: averageScore(measured.map(({ score }) => score)),
          tableCount: measured.length,
          healthyTables: measured.filter(({ score }) => score >= healthyScore).length,
          degradingTables: measured.filter(({ trend }) => trend === "Degrading").length,
          outageTables: scored.filter(({ outage }) => outage !== null).length,
        },
        tables: scored.map(({ dataSourceId: _, history, ...score }) => ({
          ...score,
          history: shownHistory(history),
          ...shownContracts(byTable.get(keyOf(score))),
        })),
        unevaluated: [...byTable].flatMap(([key, [first, ...others]]) => {
          if (!first || scoredKeys.has(key)) return [];
          const { schemaName, tableName } = first;
          return { schemaName, tableName, ...shownContracts([first, ...others]) };
        }),
        coverage: schema ? { readAt: schema.readAt, ...coverageOf(kind, schema.tables, own, search) } : null,
      };
    }),
  };
}

const keyOf = ({ schemaName, tableName }: { schemaName: string; tableName: string }) =>
  JSON.stringify([schemaName, tableName]);

function shownContracts(watching: readonly { id: number; name: string; enabled: boolean }[] = []) {
  return {
    contracts: watching.slice(0, maxContracts).map(({ id, name, enabled }) => ({ id, name, enabled })),
    contractCount: watching.length,
  };
}

function averageScore(scores: readonly number[]): number | null {
  if (scores.length === 0) return null;
  return roundScore(Decimal.sum(...scores).dividedBy(scores.length));
}
