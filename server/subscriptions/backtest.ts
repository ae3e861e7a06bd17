import { learn, learnAll } from "../normal/learned.ts";
import { anomalyOf, findAnomaly, learnedRange, type PastValue, seriesOf } from "./anomaly.ts";
import { judge } from "./judge.ts";
import type { ExecutionStatus } from "./kinds.ts";
import type { AnomalyDetection, Condition } from "./schema.ts";

export type PastExecution = {
  executedAt: Date;
  status: ExecutionStatus;
  rowCount: number;
  metricValue: number | null;
};

/**
 * Judges past executions, oldest first, as if they had run with this condition and detection. Each is judged on the
 * ones before it, which for the first of them are `before`. Silences are ignored: they belonged to their time.
 * `anomalies` is null if detection is off.
 */
export function backtest(
  past: readonly PastExecution[],
  condition: Condition,
  detection: AnomalyDetection | undefined,
  known: Known,
) {
  return {
    executions: past.length,
    since: past[0]?.executedAt ?? null,
    wouldHaveNotified: past.filter(({ rowCount }) => judge(condition, rowCount, false).isMet).length,
    didNotify: past.filter(({ status }) => status === "NotificationSent").length,
    anomalies: detection?.enabled ? countAnomalies(past, detection, known) : null,
  };
}

function countAnomalies(
  past: readonly PastExecution[],
  detection: AnomalyDetection,
  { timezone, before }: Known,
): number {
  const values = past.flatMap(({ executedAt: at, rowCount, metricValue }) => {
    const value = detection.metric === "RowCount" ? rowCount : metricValue;
    return value === null ? [] : [{ at, value }];
  });
  if (detection.method !== "Learned")
    return values.filter(
      ({ at, value }, index) =>
        findAnomaly(value, values.slice(0, index), detection, { at, timezone }) !== null,
    ).length;
  // Learns each value after judging it, rather than all before it again for each.
  const series = seriesOf(detection, { timezone });
  const learned = learnAll(series, before);
  return values.filter(({ at, value }) => {
    const usual = learnedRange(learned, series, detection, at, value);
    learn(learned, series, at, value);
    return usual !== null && anomalyOf(value, usual, detection) !== null;
  }).length;
}

/** The zone of the subscription, and its values before the executions that are judged, oldest first. */
type Known = { timezone: string; before: readonly PastValue[] };
