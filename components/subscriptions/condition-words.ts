import { formatNumber, plural } from "@/components/ui/format.ts";
import type {
  AnomalyDetection,
  AnomalyMethod,
  AnomalyMetric,
  Condition,
} from "@/server/subscriptions/schema.ts";

/** What a subscription looks for, in words. Pure. */

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
  /** What is usual, by this method. */
  hint: string;
  /** What the sensitivity is counted in. */
  unit: string;
};

export const methodWords: Record<AnomalyMethod, MethodWords> = {
  StandardDeviation: {
    label: "Standard deviation",
    hint: "Usual is what lies near the mean. For values that scatter evenly around one.",
    unit: "standard deviations from the mean",
  },
  Iqr: {
    label: "Interquartile range",
    hint: "Usual is what lies near the middle half. A few extreme values do not move it.",
    unit: "interquartile ranges from the quartiles",
  },
  PercentageChange: {
    label: "Percentage of the median",
    hint: "Usual is what differs from the median by no more than so many per cent.",
    unit: "% from the median",
  },
};

export const metricWords: Record<AnomalyMetric, string> = {
  RowCount: "Number of rows",
  FirstNumericColumn: "First number of the first row",
};

/** Beyond which a value is unusual: "Number of rows, beyond 2.5 standard deviations from the mean". */
export function detectionWords({ method, metric, sensitivity }: AnomalyDetection): string {
  const unit = methodWords[method].unit;
  const gap = unit.startsWith("%") ? "\u00a0" : " ";
  return `${metricWords[metric]}, beyond ${formatNumber(sensitivity, 2)}${gap}${unit}`;
}

/** A parameter's value as it is shown: text in quotation marks, so that "5" is not 5. */
export function parameterWords(value: string | number | boolean | null): string {
  if (value === null) return "null";
  return typeof value === "string" ? `“${value}”` : String(value);
}
