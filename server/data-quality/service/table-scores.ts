import { and, asc, desc, eq, gt, isNotNull, isNull, sql } from "drizzle-orm";
import type { Transaction } from "../../db/client.ts";
import { shownScores } from "../limits.ts";
import type { MeasuredScore } from "../measured-score.ts";
import { contracts, evaluations, tableScores } from "../tables.ts";
import { trendOf } from "../trend.ts";

export type WatchedTable = { dataSourceId: number; schemaName: string; tableName: string };

/**
 * Updates a table's latest score: the latest evaluation by any contract of the table that is not archived, the trend
 * since the previous one, recent scores, and the last measured one. Without an evaluation, the table has no score.
 */
export async function refreshTableScore(tx: Transaction, table: WatchedTable): Promise<void> {
  // One update per table at a time, each seeing what the previous one stored.
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${lockKey(table)}, 0))`);

  const recent = await tx
    .select({
      id: evaluations.id,
      score: evaluations.overallScore,
      evaluatedAt: evaluations.evaluatedAt,
      notEvaluatedBecause: evaluations.notEvaluatedBecause,
    })
    .from(evaluations)
    .innerJoin(contracts, eq(contracts.id, evaluations.contractId))
    .where(and(isOf(evaluations, table), eq(evaluations.status, "Completed"), isWatchedBy(table)))
    .orderBy(desc(evaluations.evaluatedAt), desc(evaluations.id))
    .limit(shownScores);
  const [latest, previous] = recent;

  if (!latest || latest.score === null || latest.evaluatedAt === null) {
    await tx.delete(tableScores).where(isOf(tableScores, table));
    return;
  }
  const score = {
    currentScore: latest.score,
    previousScore: previous?.score ?? null,
    trend: trendOf(latest.score, previous?.score ?? null),
    evaluationId: latest.id,
    evaluatedAt: latest.evaluatedAt,
    history: recent.toReversed().flatMap(({ score, evaluatedAt, notEvaluatedBecause }) =>
      score === null || evaluatedAt === null
        ? []
        : {
            ...{ evaluatedAt: evaluatedAt.toISOString(), score },
            couldNotEvaluate: notEvaluatedBecause !== null,
          },
    ),
    measured:
      latest.notEvaluatedBecause === null && (previous?.notEvaluatedBecause ?? null) === null
        ? null
        : await findMeasured(tx, table, latest.notEvaluatedBecause),
  };
  await tx
    .insert(tableScores)
    .values({ ...table, ...score })
    .onConflictDoUpdate({
      target: [tableScores.dataSourceId, tableScores.schemaName, tableScores.tableName],
      set: score,
    });
}

/** The last measured score of a table, however old, and since when the given reason prevents measuring it. */
async function findMeasured(
  tx: Transaction,
  table: WatchedTable,
  reason: string | null,
): Promise<MeasuredScore> {
  const ofContract = tx
    .select({ id: evaluations.id, score: evaluations.overallScore, evaluatedAt: evaluations.evaluatedAt })
    .from(evaluations)
    .where(
      and(
        eq(evaluations.contractId, contracts.id),
        isOf(evaluations, table),
        isNull(evaluations.notEvaluatedBecause),
        isNotNull(evaluations.evaluatedAt),
      ),
    )
    .orderBy(desc(evaluations.evaluatedAt), desc(evaluations.id))
    .limit(2)
    .as("of_contract");
  const [latest, previous] = await tx
    .select({ score: ofContract.score, evaluatedAt: ofContract.evaluatedAt })
    .from(contracts)
    .innerJoinLateral(ofContract, sql`true`)
    .where(isWatchedBy(table))
    .orderBy(desc(ofContract.evaluatedAt), desc(ofContract.id))
    .limit(2);
  const measured =
    latest && latest.score !== null && latest.evaluatedAt !== null
      ? { score: latest.score, previousScore: previous?.score ?? null, evaluatedAt: latest.evaluatedAt }
      : null;
  if (reason === null) return { latest: stored(measured), outage: null };
  const [first] = await tx
    .select({ since: evaluations.evaluatedAt })
    .from(evaluations)
    .innerJoin(contracts, eq(contracts.id, evaluations.contractId))
    .where(
      and(
        isOf(evaluations, table),
        isWatchedBy(table),
        isNotNull(evaluations.evaluatedAt),
        measured ? gt(evaluations.evaluatedAt, measured.evaluatedAt) : undefined,
      ),
    )
    .orderBy(asc(evaluations.evaluatedAt))
    .limit(1);
  const since = first?.since?.toISOString();
  return { latest: stored(measured), outage: since ? { since, reason } : null };
}

function stored<Measured extends { evaluatedAt: Date }>(measured: Measured | null) {
  return measured && { ...measured, evaluatedAt: measured.evaluatedAt.toISOString() };
}

const isOf = (
  { dataSourceId, schemaName, tableName }: typeof evaluations | typeof tableScores | typeof contracts,
  table: WatchedTable,
) =>
  and(eq(dataSourceId, table.dataSourceId), eq(schemaName, table.schemaName), eq(tableName, table.tableName));

/** A contract that was moved to another table no longer counts for this one. */
const isWatchedBy = (table: WatchedTable) => and(isOf(contracts, table), isNull(contracts.archivedAt));

/** The same for several tables, in a fixed order to avoid deadlocks. */
export async function refreshTableScores(tx: Transaction, tables: readonly WatchedTable[]): Promise<void> {
  const keyed = new Map(tables.map((table) => [lockKey(table), table]));
  for (const [, table] of [...keyed].sort(([a], [b]) => (a < b ? -1 : 1))) await refreshTableScore(tx, table);
}

function lockKey({ dataSourceId, schemaName, tableName }: WatchedTable): string {
  return JSON.stringify(["table score", dataSourceId, schemaName, tableName]);
}
