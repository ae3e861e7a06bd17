import { findAnomaly } from "./anomaly.ts";
import { judge } from "./judge.ts";
import type { AnomalyDetection, Condition, ExecutionStatus } from "./schema.ts";

export type PastExecution = {
  executedAt: Date;
  status: ExecutionStatus;
  rowCount: number;
  metricValue: number | null;
};

/**
 * Judges past executions, oldest first, as if they had run with this condition and detection. Each is judged on the
 * ones before it. Silences are ignored: they belonged to their time. `anomalies` is null if detection is off.
 */
export function backtest(
  past: readonly PastExecution[],
  condition: Condition,
  detection: AnomalyDetection | undefined,
) {
  return {
    executions: past.length,
    since: past[0]?.executedAt ?? null,
    wouldHaveNotified: past.filter(({ rowCount }) => judge(condition, rowCount, false).isMet).length,
    didNotify: past.filter(({ status }) => status === "NotificationSent").length,
    anomalies: detection?.enabled ? countAnomalies(past, detection) : null,
  };
}

function countAnomalies(past: readonly PastExecution[], detection: AnomalyDetection): number {
  const values = past.flatMap(({ rowCount, metricValue }) => {
    const value = detection.metric === "RowCount" ? rowCount : metricValue;
    return value === null ? [] : [value];
  });
  return values.filter((value, index) => findAnomaly(value, values.slice(0, index), detection) !== null)
    .length;
}
