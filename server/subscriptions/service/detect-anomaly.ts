import { and, eq, isNotNull, lt, ne, sql } from "drizzle-orm";
import type { Connection, Transaction } from "../../db/client.ts";
import { anomalyOf, type FoundAnomaly, type Usual, usualOf } from "../anomaly.ts";
import { anomalyDays } from "../limits.ts";
import type { AnomalyMetric } from "../schema.ts";
import { anomalies, executions } from "../tables.ts";
import { countAnomaly } from "./counters.ts";
import type { JudgedSubscription } from "./run-execution.ts";

type Measured = {
  id: number;
  subscriptionId: number;
  executedAt: Date;
  rowCount: number | null;
  metricValue: number | null;
};

/** What detection looked at, what is usual for it, and whether it was not. */
export type JudgedMetric = { metric: AnomalyMetric; usual: Usual; anomaly: FoundAnomaly | null };

/**
 * Judges what an execution measured against the subscription's executions of the 30 days before it. null where
 * detection is off, there was no value, or too few values to say what is usual.
 */
export async function judgeMetric(
  connection: Connection,
  {
    anomalyEnabled,
    anomalyMethod: method,
    anomalySensitivity: sensitivity,
    anomalyMetric: metric,
  }: JudgedSubscription,
  execution: Measured,
): Promise<JudgedMetric | null> {
  const value = metric === "RowCount" ? execution.rowCount : execution.metricValue;
  if (!anomalyEnabled || value === null) return null;
  const usual = usualOf(await valuesBefore(connection, execution, metric), { method, sensitivity });
  return usual && { metric, usual, anomaly: anomalyOf(value, usual, metric) };
}

/** Keeps an anomaly that was found, and counts it; once for each execution. */
export async function recordAnomaly(
  tx: Transaction,
  { anomalyMethod: method }: JudgedSubscription,
  execution: Pick<Measured, "id" | "subscriptionId" | "executedAt">,
  { metric, anomaly }: JudgedMetric & { anomaly: FoundAnomaly },
): Promise<void> {
  const inserted = await tx
    .insert(anomalies)
    .values({
      ...anomaly,
      subscriptionId: execution.subscriptionId,
      executionId: execution.id,
      // When its execution began, so that both are in the same window of time.
      detectedAt: execution.executedAt,
      method,
      metric,
    })
    .onConflictDoNothing({ target: anomalies.executionId })
    .returning();
  for (const each of inserted) await countAnomaly(tx, each);
}

/** What the executions of the 30 days before one measured, oldest first. */
async function valuesBefore(
  connection: Connection,
  { id, subscriptionId, executedAt }: Measured,
  metric: AnomalyMetric,
): Promise<number[]> {
  const column = metric === "RowCount" ? executions.rowCount : executions.metricValue;
  const rows = await connection
    .select({ value: sql<number>`${column}::float8` })
    .from(executions)
    .where(
      and(
        eq(executions.subscriptionId, subscriptionId),
        sql`${executions.executedAt} >= ${executedAt.toISOString()}::timestamptz - ${anomalyDays} * interval '1 day'`,
        lt(executions.executedAt, executedAt),
        ne(executions.id, id),
        isNotNull(column),
      ),
    )
    .orderBy(executions.executedAt);
  return rows.map(({ value }) => value);
}
