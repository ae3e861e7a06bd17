import { formatValue, usualRange } from "@/components/anomalies/usual-range.ts";
import { formatCount, plural } from "@/components/ui/format.ts";
import type { AnomalyMetric } from "@/server/subscriptions/kinds.ts";
import type { Anomaly, Execution, Subscription } from "@/server/subscriptions/schema.ts";

/** What a subscription's chart plots: the metric of anomaly detection, otherwise the row count. Pure. */

export type PlottedRun = {
  value: number | null;
  /** Its usual range, both ends included. */
  usual: { low: number; high: number } | null;
  isUnusual: boolean;
};

export type PlottedMetric = {
  metric: AnomalyMetric;
  /** "Rows found", or the name of the evaluated column: "average_delay_minutes". */
  label: string;
  /** In the order of the executions. */
  runs: PlottedRun[];
  /** In rows; a condition's threshold doesn't apply to a column. */
  threshold: number | null;
};

/** Rings and bands appear only if they belong to the plotted metric: detection may have used a different one before. */
export function plottedMetric(
  { anomalyDetection, condition }: Pick<Subscription, "anomalyDetection" | "condition">,
  executions: readonly Execution[],
  anomalies: readonly Anomaly[],
): PlottedMetric {
  const metric = anomalyDetection.enabled ? anomalyDetection.metric : "RowCount";
  const isRows = metric === "RowCount";
  const found = new Map(
    anomalies.filter((each) => each.metric === metric).map((each) => [each.executionId, each]),
  );
  const column = executions.find(({ metricColumn }) => metricColumn !== null)?.metricColumn;
  return {
    metric,
    label: isRows ? "Rows found" : (column ?? "First number of the first row"),
    threshold: isRows ? condition.threshold : null,
    runs: executions.map(({ id, rowCount, metricValue, usual }) => {
      const anomaly = found.get(id);
      const value = isRows ? rowCount : (metricValue ?? anomaly?.detectedValue ?? null);
      return { value, usual: usualFor(metric, usual, anomaly), isUnusual: anomaly !== undefined };
    }),
  };
}

function usualFor(metric: AnomalyMetric, stored: Execution["usual"], anomaly: Anomaly | undefined) {
  const { low, high } =
    stored?.metric === metric ? stored : { low: anomaly?.expectedLow, high: anomaly?.expectedHigh };
  if (low == null || high == null) return null;
  // A row count is never below 0, even if mean minus deviations is.
  return { low: metric === "RowCount" ? Math.max(low, 0) : low, high };
}

/** Chart labels: counts are abbreviated, other numbers have up to six digits. */
export const valueLabel = (metric: AnomalyMetric, value: number): string =>
  metric === "RowCount" || Math.abs(value) >= 10_000 ? formatCount(value) : formatValue(value);

/** As text: "5 rows", "average_delay_minutes 12.3, usually 8 to 15". */
export function plottedWords({ metric, label }: PlottedMetric, { value, usual }: PlottedRun): string | null {
  if (value === null) return null;
  const words = metric === "RowCount" ? plural(value, "row") : `${label} ${formatValue(value)}`;
  return usual === null ? words : `${words}, usually ${usualRange(usual.low, usual.high)}`;
}
