import { and, eq, isNotNull, lt, ne, sql } from "drizzle-orm";
import type { Connection, Transaction } from "../../db/client.ts";
import { type FoundAnomaly, findAnomaly } from "../anomaly.ts";
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

/**
 * Judges what an execution measured against the subscription's executions of the 30 days before it, and keeps the
 * anomaly that it finds. null where detection is off, there was no value, or it is usual.
 */
export async function detectAnomaly(
  tx: Transaction,
  {
    anomalyEnabled,
    anomalyMethod: method,
    anomalySensitivity: sensitivity,
    anomalyMetric: metric,
  }: JudgedSubscription,
  execution: Measured,
): Promise<FoundAnomaly | null> {
  const value = metric === "RowCount" ? execution.rowCount : execution.metricValue;
  if (!anomalyEnabled || value === null) return null;
  const history = await valuesBefore(tx, execution, metric);
  const found = findAnomaly(value, history, { method, sensitivity, metric });
  if (!found) return null;
  const inserted = await tx
    .insert(anomalies)
    .values({
      ...found,
      subscriptionId: execution.subscriptionId,
      executionId: execution.id,
      // When its execution began, so that both are in the same window of time.
      detectedAt: execution.executedAt,
      method,
      metric,
    })
    .onConflictDoNothing({ target: anomalies.executionId })
    .returning();
  for (const anomaly of inserted) await countAnomaly(tx, anomaly);
  return found;
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
