import { interquartileRange, mean, median, quantile, sampleStandardDeviation } from "simple-statistics";
import { anomalyDays, anomalyPoints } from "./limits.ts";
import type { AnomalyDetection, AnomalyMetric, AnomalySeverity } from "./schema.ts";

export type FoundAnomaly = {
  severity: AnomalySeverity;
  detectedValue: number;
  /** What would have been usual, both inclusive. */
  expectedLow: number;
  expectedHigh: number;
  /** Why, in words with the figures. */
  explanation: string;
};

/** What counts as usual: a middle, how far from it is still usual (both bounds included), and from how many points. */
export type Usual = { low: number; high: number; middle: number; basis: string; points: number };

const metricNames: Record<AnomalyMetric, string> = {
  RowCount: "row count",
  FirstNumericColumn: "first number",
};

/**
 * What is usual after the values of the days before; null with fewer than 30 of them, which say nothing about it.
 *
 * - StandardDeviation: within so many sample standard deviations of the mean.
 * - Iqr: within so many interquartile ranges of the quartiles (Tukey's fences).
 * - PercentageChange: within so many per cent of the median.
 */
export function usualOf(
  history: readonly number[],
  { method, sensitivity }: Pick<AnomalyDetection, "method" | "sensitivity">,
): Usual | null {
  if (history.length < anomalyPoints) return null;
  return { ...usualBy[method]([...history], sensitivity), points: history.length };
}

/** null when the value is usual. */
export function anomalyOf(value: number, usual: Usual, metric: AnomalyMetric): FoundAnomaly | null {
  if (value >= usual.low && value <= usual.high) return null;
  const isHigh = value > usual.high;
  const bound = isHigh ? usual.high : usual.low;
  const allowed = Math.abs(bound - usual.middle);
  const name = metricNames[metric];
  return {
    severity: severityOf(allowed === 0 ? Number.POSITIVE_INFINITY : Math.abs(value - usual.middle) / allowed),
    detectedValue: value,
    expectedLow: usual.low,
    expectedHigh: usual.high,
    explanation:
      `The ${name} ${figure(value)} is ${isHigh ? "above" : "below"} the usual ` +
      `${range(usual)} (${usual.basis}, from ${figure(usual.points)} executions in ${anomalyDays} days)`,
  };
}

/** Judges a value against those of the days before; null when it is usual, or nobody knows what is. */
export function findAnomaly(
  value: number,
  history: readonly number[],
  detection: Omit<AnomalyDetection, "enabled">,
): FoundAnomaly | null {
  const usual = usualOf(history, detection);
  return usual && anomalyOf(value, usual, detection.metric);
}

const usualBy: Record<
  AnomalyDetection["method"],
  (points: number[], sensitivity: number) => Omit<Usual, "points">
> = {
  StandardDeviation(points, sensitivity) {
    const middle = mean(points);
    const deviation = sampleStandardDeviation(points);
    const allowed = sensitivity * deviation;
    return {
      middle,
      low: middle - allowed,
      high: middle + allowed,
      basis: `mean ${figure(middle)} ± ${figure(sensitivity)} standard deviations of ${figure(deviation)}`,
    };
  },
  Iqr(points, sensitivity) {
    const width = interquartileRange(points);
    const [lower, upper] = [quantile(points, 0.25), quantile(points, 0.75)];
    return {
      middle: median(points),
      low: lower - sensitivity * width,
      high: upper + sensitivity * width,
      basis: `quartiles ${figure(lower)} and ${figure(upper)}, ± ${figure(sensitivity)} times their distance`,
    };
  },
  PercentageChange(points, sensitivity) {
    const middle = median(points);
    const allowed = (Math.abs(middle) * sensitivity) / 100;
    return {
      middle,
      low: middle - allowed,
      high: middle + allowed,
      basis: `median ${figure(middle)} ± ${figure(sensitivity)} %`,
    };
  },
};

/**
 * By how many times as far from the middle as is still usual the value is. Where nothing but one value is usual,
 * any other is infinitely far, and still no more than High: a first row where there were none may be a trifle.
 */
function severityOf(times: number): AnomalySeverity {
  if (times === Number.POSITIVE_INFINITY) return "High";
  if (times >= 4) return "Critical";
  if (times >= 2.5) return "High";
  if (times >= 1.5) return "Medium";
  return "Low";
}

const range = ({ low, high }: Usual) => (low === high ? figure(low) : `${figure(low)} to ${figure(high)}`);

const figures = new Intl.NumberFormat("en", { maximumSignificantDigits: 6 });
const wholeFigures = new Intl.NumberFormat("en");
const figure = (value: number) => (Number.isInteger(value) ? wholeFigures : figures).format(value);
