import { and, desc, eq, isNull, sql } from "drizzle-orm";
import type { Transaction } from "../../db/client.ts";
import { shownScores } from "../limits.ts";
import { contracts, evaluations, tableScores } from "../tables.ts";
import { trendOf } from "../trend.ts";

export type WatchedTable = { dataSourceId: number; schemaName: string; tableName: string };

/**
 * Brings a table's latest score up to date: the latest evaluation by any contract that watches the table and is
 * not archived, the trend since the one before it, and the scores of the last few. Without any, the table has no
 * score.
 */
export async function refreshTableScore(tx: Transaction, table: WatchedTable): Promise<void> {
  const { dataSourceId, schemaName, tableName } = table;
  // One at a time for each table, each seeing what the one before has stored.
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${lockKey(table)}, 0))`);

  const recent = await tx
    .select({ id: evaluations.id, score: evaluations.overallScore, evaluatedAt: evaluations.evaluatedAt })
    .from(evaluations)
    .innerJoin(contracts, eq(contracts.id, evaluations.contractId))
    .where(
      and(
        eq(evaluations.dataSourceId, dataSourceId),
        eq(evaluations.schemaName, schemaName),
        eq(evaluations.tableName, tableName),
        eq(evaluations.status, "Completed"),
        isNull(contracts.archivedAt),
        // A contract that was pointed elsewhere watches this table no longer.
        eq(contracts.dataSourceId, dataSourceId),
        eq(contracts.schemaName, schemaName),
        eq(contracts.tableName, tableName),
      ),
    )
    .orderBy(desc(evaluations.evaluatedAt), desc(evaluations.id))
    .limit(shownScores);
  const [latest, previous] = recent;

  if (!latest || latest.score === null || latest.evaluatedAt === null) {
    await tx
      .delete(tableScores)
      .where(
        and(
          eq(tableScores.dataSourceId, dataSourceId),
          eq(tableScores.schemaName, schemaName),
          eq(tableScores.tableName, tableName),
        ),
      );
    return;
  }
  const score = {
    currentScore: latest.score,
    previousScore: previous?.score ?? null,
    trend: trendOf(latest.score, previous?.score ?? null),
    evaluationId: latest.id,
    evaluatedAt: latest.evaluatedAt,
    history: recent
      .toReversed()
      .flatMap(({ score, evaluatedAt }) =>
        score === null || evaluatedAt === null ? [] : { evaluatedAt: evaluatedAt.toISOString(), score },
      ),
  };
  await tx
    .insert(tableScores)
    .values({ ...table, ...score })
    .onConflictDoUpdate({
      target: [tableScores.dataSourceId, tableScores.schemaName, tableScores.tableName],
      set: score,
    });
}

/** The same for several tables, in an order that all keep, so that no two wait for each other. */
export async function refreshTableScores(tx: Transaction, tables: readonly WatchedTable[]): Promise<void> {
  const keyed = new Map(tables.map((table) => [lockKey(table), table]));
  for (const [, table] of [...keyed].sort(([a], [b]) => (a < b ? -1 : 1))) await refreshTableScore(tx, table);
}

function lockKey({ dataSourceId, schemaName, tableName }: WatchedTable): string {
  return JSON.stringify(["table score", dataSourceId, schemaName, tableName]);
}
