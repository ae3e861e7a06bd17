import { and, desc, eq, isNotNull, lt, ne, sql } from "drizzle-orm";
import type { Connection, Transaction } from "../../db/client.ts";
import {
  anomalyOf,
  daysOf,
  type FoundAnomaly,
  type NormalRange,
  normalRangeOf,
  type PastValue,
} from "../anomaly.ts";
import type { AnomalyMetric } from "../kinds.ts";
import { maxLearnedPoints } from "../limits.ts";
import type { AnomalyDetection } from "../schema.ts";
import { anomalies, executions } from "../tables.ts";
import { countAnomaly } from "./counters.ts";
import type { JudgedSubscription } from "./lock-subscription.ts";

type Measured = {
  id: number;
  subscriptionId: number;
  executedAt: Date;
  rowCount: number | null;
  metricValue: number | null;
};

/** The metric that detection judged, its normal range, and the anomaly, if the value was one. */
export type JudgedMetric = { metric: AnomalyMetric; usual: NormalRange; anomaly: FoundAnomaly | null };

/**
 * Judges an execution's measurement against the subscription's executions of the previous days. null if detection is
 * off, there is no value, or there is too little history.
 */
export async function judgeMetric(
  connection: Connection,
  {
    anomalyEnabled,
    anomalyMethod: method,
    anomalySensitivity: sensitivity,
    anomalyMetric: metric,
    timezone,
  }: JudgedSubscription,
  execution: Measured,
): Promise<JudgedMetric | null> {
  const value = metric === "RowCount" ? execution.rowCount : execution.metricValue;
  if (!anomalyEnabled || value === null) return null;
  const detection = { method, sensitivity, metric };
  const history = await valuesBefore(connection, execution, detection);
  const usual = normalRangeOf(value, history, detection, { at: execution.executedAt, timezone });
  return usual && { metric, usual, anomaly: anomalyOf(value, usual, detection) };
}

/** Stores and counts an anomaly, once per execution. */
export async function recordAnomaly(
  tx: Transaction,
  { anomalyMethod: method }: JudgedSubscription,
  execution: Pick<Measured, "id" | "subscriptionId" | "executedAt">,
  { metric, anomaly }: JudgedMetric & { anomaly: FoundAnomaly },
): Promise<number | null> {
  const inserted = await tx
    .insert(anomalies)
    .values({
      ...anomaly,
      subscriptionId: execution.subscriptionId,
      executionId: execution.id,
      // The execution's start, so that both fall into the same time window.
      detectedAt: execution.executedAt,
      method,
      metric,
    })
    .onConflictDoNothing({ target: anomalies.executionId })
    .returning();
  for (const each of inserted) await countAnomaly(tx, each);
  return inserted[0]?.id ?? null;
}

/** The measurements of the days before an execution that its method looks at, oldest first. */
export async function valuesBefore(
  connection: Connection,
  { id, subscriptionId, executedAt }: Pick<Measured, "id" | "subscriptionId" | "executedAt">,
  { metric, method }: Pick<AnomalyDetection, "metric" | "method">,
): Promise<PastValue[]> {
  const column = metric === "RowCount" ? executions.rowCount : executions.metricValue;
  const values = connection
    .select({ at: executions.executedAt, value: sql<number>`${column}::float8` })
    .from(executions)
    .where(
      and(
        eq(executions.subscriptionId, subscriptionId),
        sql`${executions.executedAt} >= ${executedAt.toISOString()}::timestamptz - ${daysOf(method)} * interval '1 day'`,
        lt(executions.executedAt, executedAt),
        ne(executions.id, id),
        isNotNull(column),
      ),
    )
    .orderBy(desc(executions.executedAt));
  const rows = await (method === "Learned" ? values.limit(maxLearnedPoints) : values);
  return rows.reverse();
}
