import { and, asc, count, eq, inArray, isNull } from "drizzle-orm";
import type { SignedIn } from "../../auth/principal.ts";
import { databaseKinds } from "../../data-sources/schema.ts";
import { listDataSources } from "../../data-sources/service.ts";
import { db } from "../../db/client.ts";
import { healthyScore } from "../schema.ts";
import { Decimal, roundScore } from "../score.ts";
import { contracts, tableScores } from "../tables.ts";

type Filter = { projectId?: number | undefined; dataSourceId?: number | undefined };

/** The quality of every database that the caller may see, with the latest score of each of its tables. */
export async function getOverview(ctx: SignedIn, { projectId, dataSourceId }: Filter) {
  const visible = (await listDataSources(ctx, { projectId })).items;
  const sources = visible.filter(
    ({ id, kind }) => id === (dataSourceId ?? id) && databaseKinds.some((each) => each === kind),
  );
  const ids = sources.map(({ id }) => id);
  const [scores, active] = await Promise.all([
    db
      .select()
      .from(tableScores)
      .where(inArray(tableScores.dataSourceId, ids))
      .orderBy(asc(tableScores.schemaName), asc(tableScores.tableName)),
    db
      .select({ dataSourceId: contracts.dataSourceId, count: count() })
      .from(contracts)
      .where(
        and(inArray(contracts.dataSourceId, ids), isNull(contracts.archivedAt), eq(contracts.enabled, true)),
      )
      .groupBy(contracts.dataSourceId),
  ]);
  const scoresBySource = Map.groupBy(scores, (score) => score.dataSourceId);
  const activeBySource = new Map(active.map((each) => [each.dataSourceId, each.count]));
  return {
    items: sources.map(({ id, name }) => {
      const tables = scoresBySource.get(id) ?? [];
      return {
        dataSourceId: id,
        dataSourceName: name,
        averageScore: averageScore(tables.map(({ currentScore }) => currentScore)),
        tableCount: tables.length,
        healthyTables: tables.filter(({ currentScore }) => currentScore >= healthyScore).length,
        degradingTables: tables.filter(({ trend }) => trend === "Degrading").length,
        activeContractCount: activeBySource.get(id) ?? 0,
        tables: tables.map(({ schemaName, tableName, currentScore, previousScore, trend, evaluatedAt }) => ({
          schemaName,
          tableName,
          currentScore,
          previousScore,
          trend,
          evaluatedAt,
        })),
      };
    }),
  };
}

function averageScore(scores: readonly number[]): number | null {
  if (scores.length === 0) return null;
  return roundScore(Decimal.sum(...scores).dividedBy(scores.length));
}
