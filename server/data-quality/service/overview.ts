import { and, asc, getTableColumns, inArray, isNull, sql } from "drizzle-orm";
import type { SignedIn } from "../../auth/principal.ts";
import { isDatabaseKind } from "../../data-sources/kinds.ts";
import { listKnownTables } from "../../data-sources/service/known-tables.ts";
import { listDataSources } from "../../data-sources/service/load-data-sources.ts";
import { db } from "../../db/client.ts";
import { coverageOf } from "../coverage.ts";
import { Decimal } from "../decimal.ts";
import { tableScores } from "../evaluations/tables.ts";
import type { StoredScore } from "../measured-score.ts";
import { roundScore } from "../score.ts";
import { healthyScore } from "../severities.ts";
import { contracts } from "../tables.ts";
import { shownContracts, shownScore } from "./shown-scores.ts";

type Filter = {
  projectId?: number | undefined;
  dataSourceId?: number | undefined;
  search?: string | undefined;
  /** If more tables have a score, their histories are empty; without it, none is. */
  historiesUpTo?: number | undefined;
};

/**
 * The quality of every database visible to the caller: each table's latest score and history, the contracts that watch
 * it, and the tables without a contract. Histories are most of what there is to read of many tables.
 */
export async function getOverview(ctx: SignedIn, { projectId, dataSourceId, search, historiesUpTo }: Filter) {
  const visible = (await listDataSources(ctx, { projectId })).items;
  const sources = visible.filter(({ id, kind }) => id === (dataSourceId ?? id) && isDatabaseKind(kind));
  const ids = sources.map(({ id }) => id);
  const ofSources = inArray(tableScores.dataSourceId, ids);
  const areLeftOut =
    historiesUpTo === undefined
      ? sql`false`
      : sql`(select count(*) from ${tableScores} where ${ofSources}) > ${historiesUpTo}`;
  const history = sql<
    StoredScore[]
  >`case when ${areLeftOut} then '[]'::jsonb else ${tableScores.history} end`;
  const [scores, watching, known] = await Promise.all([
    db
      .select({ ...getTableColumns(tableScores), history })
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
      const own = watchingBySource.get(id) ?? [];
      const byTable = Map.groupBy(own, keyOf);
      const scored = (scoresBySource.get(id) ?? []).map((score) =>
        shownScore(score, byTable.get(keyOf(score))),
      );
      const measured = scored.flatMap((score) => score.measured ?? []);
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
        tables: scored,
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

function averageScore(scores: readonly number[]): number | null {
  if (scores.length === 0) return null;
  return roundScore(Decimal.sum(...scores).dividedBy(scores.length));
}
