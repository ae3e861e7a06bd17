import { sql } from "drizzle-orm";
import { type Connection, groupDb, type Transaction } from "../../db/client.ts";
import { gathered } from "../../db/gathered.ts";
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
import { storable } from "../storable.ts";
import { anomalies, executions } from "../tables.ts";
import { countAnomaly } from "./counters.ts";
import type { JudgedSubscription } from "./lock-subscriptions.ts";

type Measured = {
  id: number;
  subscriptionId: number;
  executedAt: Date;
  rowCount: number | null;
  metricValue: number | null;
};

/** The metric that detection judged, its normal range, and the anomaly, if the value was one. */
export type JudgedMetric = { metric: AnomalyMetric; usual: NormalRange; anomaly: FoundAnomaly | null };

/** How a subscription detects anomalies. */
export type Detecting = Pick<
  JudgedSubscription,
  "anomalyEnabled" | "anomalyMethod" | "anomalySensitivity" | "anomalyMetric" | "timezone"
>;

/**
 * Judges executions' measurements against their subscriptions' executions of the previous days. null if detection is
 * off, there is no value, or there is too little history.
 */
export async function judgeMetrics(
  connection: Connection,
  all: readonly { subscription: Detecting; execution: Measured }[],
): Promise<(JudgedMetric | null)[]> {
  const detected = all.map(({ subscription, execution }) => {
    const detection = detectionOf(subscription);
    const value = detection && measureOf(execution, detection);
    return detection && value !== null ? { subscription, execution, detection, value } : null;
  });
  const asked = detected.filter((each) => each !== null);
  const histories = await valuesBefore(
    connection,
    asked.map(({ execution, detection }) => ({ ...execution, ...detection })),
  );
  const judged = new Map(
    asked.map((each, place) => [
      each,
      judgeBy(histories[place] ?? [], each.value, each.subscription, each.execution),
    ]),
  );
  return detected.map((each) => (each && judged.get(each)) ?? null);
}

/**
 * The same for many executions that end at the same time, without waiting for what others store. null if that would hold up
 * the others, as there are very many executions before it.
 */
export async function judgeMetricTogether(
  subscription: Detecting,
  execution: Measured,
): Promise<{ judged: JudgedMetric | null } | null> {
  const detection = detectionOf(subscription);
  const value = detection && measureOf(execution, detection);
  if (!detection || value === null) return { judged: null };
  const history = await historyTogether({ ...execution, ...detection, most: mostTogether + 1 });
  if (history.length > mostTogether) return null;
  return { judged: judgeBy(history, value, subscription, execution) };
}

/** More executions before one than this are read and judged for it alone. */
const mostTogether = 1000;

/** What it is judged by, to be compared; null if detection is off. */
export function detectionOf(
  given: Detecting,
): (Omit<AnomalyDetection, "enabled"> & { timezone: string }) | null {
  const { anomalyMethod: method, anomalySensitivity: sensitivity, anomalyMetric: metric, timezone } = given;
  return given.anomalyEnabled ? { method, sensitivity, metric, timezone } : null;
}

const measureOf = ({ rowCount, metricValue }: Measured, { metric }: Pick<AnomalyDetection, "metric">) =>
  metric === "RowCount" ? rowCount : metricValue;

function judgeBy(
  history: readonly PastValue[],
  value: number,
  { anomalyMethod: method, anomalySensitivity: sensitivity, anomalyMetric: metric, timezone }: Detecting,
  { executedAt }: Measured,
): JudgedMetric | null {
  const detection = { method, sensitivity, metric };
  const usual = normalRangeOf(value, history, detection, { at: executedAt, timezone });
  return usual && { metric, usual, anomaly: anomalyOf(value, usual, detection) };
}

/** What is stored of the judgement of an execution. */
export const whatWasUsual = (judged: JudgedMetric | null) => ({
  judgedMetric: judged?.metric ?? null,
  usualLow: judged?.usual.low ?? null,
  usualHigh: judged?.usual.high ?? null,
});

/** The column that detection looks at, as it is stored; null if it looks at none. */
export const judgedColumn = (
  { anomalyEnabled, anomalyMetric }: Detecting,
  measured: { column: string } | null,
): string | null =>
  anomalyEnabled && anomalyMetric === "FirstNumericColumn" && measured ? storable(measured.column) : null;

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

type Execution = Pick<Measured, "id" | "subscriptionId" | "executedAt">;
type History = Pick<AnomalyDetection, "metric" | "method">;

/** The measurements of the days before each execution that its method looks at, oldest first. */
export async function valuesBefore(
  connection: Connection,
  all: readonly (Execution & History)[],
): Promise<PastValue[][]> {
  if (all.length === 0) return [];
  return histories(
    connection,
    all.map((each) => ({ ...each, most: each.method === "Learned" ? maxLearnedPoints : null })),
  );
}

const historyTogether = gathered((all: readonly (Execution & History & { most: number })[]) =>
  histories(groupDb, all),
);

/** Of each execution, in their order; with `most`, only the newest so many. */
async function histories(
  connection: Connection,
  all: readonly (Execution & History & { most: number | null })[],
): Promise<PastValue[][]> {
  const given = all.map(({ id, subscriptionId, executedAt, metric, method, most }) => ({
    ...{ id, subscription_id: subscriptionId, before: executedAt, metric, days: daysOf(method), most },
  }));
  const rows = await connection.execute<{ id: number; times: number[]; values: number[] }>(sql`
    select given.id, coalesce(history.times, '[]') as times, coalesce(history.values, '[]') as values
    from json_to_recordset(${JSON.stringify(given)}::json) as given (
      id integer, subscription_id integer, before timestamptz, metric anomaly_metric, days integer, most integer)
    cross join lateral (
      select array_to_json(array_agg(floor(extract(epoch from at) * 1000)::float8 order by at)) as times,
        array_to_json(array_agg(value order by at)) as values
      from (
        select executed_at as at, case given.metric when 'RowCount' then row_count::float8 else metric_value end as value
        from ${executions} as earlier
        where earlier.subscription_id = given.subscription_id
          and earlier.executed_at >= given.before - given.days * interval '1 day'
          and earlier.executed_at < given.before and earlier.id <> given.id
          and case given.metric when 'RowCount' then row_count::float8 else metric_value end is not null
        order by earlier.executed_at desc nulls first, earlier.id desc nulls first
        limit given.most
      ) as run
    ) as history`);
  const byId = new Map(
    rows.map(({ id, times, values }) => [
      id,
      times.map((ms, place) => ({ at: new Date(ms), value: values[place] as number })),
    ]),
  );
  return all.map(({ id }) => byId.get(id) ?? []);
}
