import { formatNumber, plural } from "@/components/ui/format.ts";
import type { AnomalyMethod, AnomalyMetric } from "@/server/subscriptions/kinds.ts";
import type { AnomalyDetection, Condition } from "@/server/subscriptions/schema.ts";

/** Conditions and anomaly detection in words. Pure. */

/** When it notifies: "When rows are found", "Above 5 rows". */
export function conditionWords({ kind, threshold }: Condition): string {
  switch (kind) {
    case "Always":
      return "After every run";
    case "RowsFound":
      return "When rows are found";
    case "RowCountAbove":
      return `Above ${plural(threshold ?? 0, "row")}`;
    case "RowCountBelow":
      return `Below ${plural(threshold ?? 0, "row")}`;
  }
}

type MethodWords = {
  label: string;
  /** What the method considers normal. */
  hint: string;
  /** The unit of the sensitivity. */
  unit: string;
};

export const methodWords: Record<AnomalyMethod, MethodWords> = {
  Learned: {
    label: "Learned",
    hint: "Usual values are those of the same hour, weekday, or day of the month, where results repeat with them. Follows growth and lasting changes. Needs 14 results, and looks at 120 days.",
    unit: "spreads from what is expected",
  },
  StandardDeviation: {
    label: "Standard deviation",
    hint: "Usual values are near the mean. For values that scatter evenly.",
    unit: "standard deviations from the mean",
  },
  Iqr: {
    label: "Interquartile range",
    hint: "Usual values are near the middle half. Robust to a few extreme values.",
    unit: "interquartile ranges from the quartiles",
  },
  PercentageChange: {
    label: "Percentage of the median",
    hint: "Usual values differ from the median by at most a given percentage.",
    unit: "% from the median",
  },
};

export const metricWords: Record<AnomalyMetric, string> = {
  RowCount: "Number of rows",
  FirstNumericColumn: "First number of the first row",
};

/** When a value is unusual: "Number of rows, beyond 2.5 standard deviations from the mean". */
export function detectionWords({ method, metric, sensitivity }: AnomalyDetection): string {
  const unit = methodWords[method].unit;
  const gap = unit.startsWith("%") ? "\u00a0" : " ";
  return `${metricWords[metric]}, beyond ${formatNumber(sensitivity, 2)}${gap}${unit}`;
}

/** A parameter's value for display: text is quoted, so that "5" is not 5. */
export function parameterWords(value: string | number | boolean | null): string {
  if (value === null) return "null";
  return typeof value === "string" ? `“${value}”` : String(value);
}
