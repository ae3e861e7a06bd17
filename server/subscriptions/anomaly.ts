import { interquartileRange, mean, median, quantile, sampleStandardDeviation } from "simple-statistics";
import { anomalyDays, anomalyPoints } from "./limits.ts";
import type { AnomalyDetection, AnomalyMetric, AnomalySeverity } from "./schema.ts";

export type FoundAnomaly = {
  severity: AnomalySeverity;
  detectedValue: number;
  /** The normal range, both inclusive. */
  expectedLow: number;
  expectedHigh: number;
  /** The reason in words, with the figures. */
  explanation: string;
};

/** What counts as normal: a center, the bounds around it (both inclusive), and the number of points behind them. */
export type NormalRange = { low: number; high: number; center: number; basis: string; points: number };

const metricNames: Record<AnomalyMetric, string> = {
  RowCount: "row count",
  FirstNumericColumn: "first number",
};

/**
 * The normal range based on the values of the previous days; null with fewer than 30 of them, which are too few to
 * tell.
 *
 * - StandardDeviation: within the given number of sample standard deviations of the mean.
 * - Iqr: within the given number of interquartile ranges of the quartiles (Tukey's fences).
 * - PercentageChange: within the given percentage of the median.
 */
export function normalRangeOf(
  history: readonly number[],
  { method, sensitivity }: Pick<AnomalyDetection, "method" | "sensitivity">,
): NormalRange | null {
  if (history.length < anomalyPoints) return null;
  return { ...normalRangeBy[method]([...history], sensitivity), points: history.length };
}

/** null if the value is normal. */
export function anomalyOf(value: number, usual: NormalRange, metric: AnomalyMetric): FoundAnomaly | null {
  if (value >= usual.low && value <= usual.high) return null;
  const isHigh = value > usual.high;
  const bound = isHigh ? usual.high : usual.low;
  const allowed = Math.abs(bound - usual.center);
  const name = metricNames[metric];
  return {
    severity: severityOf(allowed === 0 ? Number.POSITIVE_INFINITY : Math.abs(value - usual.center) / allowed),
    detectedValue: value,
    expectedLow: usual.low,
    expectedHigh: usual.high,
    explanation:
      `The ${name} ${figure(value)} is ${isHigh ? "above" : "below"} the usual ` +
      `${range(usual)} (${usual.basis}, from ${figure(usual.points)} executions in ${anomalyDays} days)`,
  };
}

/** Judges a value against those of the previous days; null if it is normal or there is too little history. */
export function findAnomaly(
  value: number,
  history: readonly number[],
  detection: Omit<AnomalyDetection, "enabled">,
): FoundAnomaly | null {
  const usual = normalRangeOf(history, detection);
  return usual && anomalyOf(value, usual, detection.metric);
}

const normalRangeBy: Record<
  AnomalyDetection["method"],
  (points: number[], sensitivity: number) => Omit<NormalRange, "points">
> = {
  StandardDeviation(points, sensitivity) {
    const center = mean(points);
    const deviation = sampleStandardDeviation(points);
    const allowed = sensitivity * deviation;
    return {
      center,
      low: center - allowed,
      high: center + allowed,
      basis: `mean ${figure(center)} ± ${figure(sensitivity)} standard deviations of ${figure(deviation)}`,
    };
  },
  Iqr(points, sensitivity) {
    const width = interquartileRange(points);
    const [lower, upper] = [quantile(points, 0.25), quantile(points, 0.75)];
    return {
      center: median(points),
      low: lower - sensitivity * width,
      high: upper + sensitivity * width,
      basis: `quartiles ${figure(lower)} and ${figure(upper)}, ± ${figure(sensitivity)} times their distance`,
    };
  },
  PercentageChange(points, sensitivity) {
    const center = median(points);
    const allowed = (Math.abs(center) * sensitivity) / 100;
    return {
      center,
      low: center - allowed,
      high: center + allowed,
      basis: `median ${figure(center)} ± ${figure(sensitivity)} %`,
    };
  },
};

/**
 * The distance from the center as a multiple of the allowed distance. If only a single value is normal, any other is
 * infinitely far away, but severity is capped at High: a first row where there were none may be trivial.
 */
function severityOf(times: number): AnomalySeverity {
  if (times === Number.POSITIVE_INFINITY) return "High";
  if (times >= 4) return "Critical";
  if (times >= 2.5) return "High";
  if (times >= 1.5) return "Medium";
  return "Low";
}

const range = ({ low, high }: NormalRange) =>
  low === high ? figure(low) : `${figure(low)} to ${figure(high)}`;

const figures = new Intl.NumberFormat("en", { maximumSignificantDigits: 6 });
const wholeFigures = new Intl.NumberFormat("en");
const figure = (value: number) => (Number.isInteger(value) ? wholeFigures : figures).format(value);
