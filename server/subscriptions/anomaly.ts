import { interquartileRange, mean, median, quantile, sampleStandardDeviation } from "simple-statistics";
import { rangeInWords, seasonInWords } from "../normal/in-words.ts";
import { judge } from "../normal/judge.ts";
import { type Learned, learnAll, type Series } from "../normal/learned.ts";
import type { AnomalyMethod, AnomalyMetric } from "./kinds.ts";
import { anomalyDays, anomalyPoints, learnedDays } from "./limits.ts";
import type { AnomalyDetection, AnomalySeverity } from "./schema.ts";

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
export type NormalRange = {
  low: number;
  high: number;
  center: number;
  basis: string;
  points: number;
  /** The season that a learned range is for, in words, if there is one: "Mondays at 9:00". */
  season?: string;
  /** What is unusual besides the range, in words; then the value is an anomaly even within it. */
  reason?: string;
};

export type PastValue = { at: Date; value: number };

/** When a value was measured, by the clocks of the subscription. */
export type Moment = { at: Date; timezone: string };

/** How many days before an execution its method looks at. */
export const daysOf = (method: AnomalyMethod) => (method === "Learned" ? learnedDays : anomalyDays);

const metricNames: Record<AnomalyMetric, string> = {
  RowCount: "row count",
  FirstNumericColumn: "first number",
};

/**
 * The normal range based on the values of the previous days, oldest first; null with fewer than 30 of them, or 14 for
 * Learned, which are too few to tell.
 *
 * - StandardDeviation: within the given number of sample standard deviations of the mean.
 * - Iqr: within the given number of interquartile ranges of the quartiles (Tukey's fences).
 * - PercentageChange: within the given percentage of the median.
 * - Learned: within the given number of spreads of what is expected at this time (server/normal).
 */
export function normalRangeOf(
  value: number,
  history: readonly PastValue[],
  detection: Omit<AnomalyDetection, "enabled">,
  moment: Moment,
): NormalRange | null {
  const { method, sensitivity } = detection;
  if (method === "Learned") {
    const series = seriesOf(detection, moment);
    return learnedRange(learnAll(series, history), series, detection, moment.at, value);
  }
  if (history.length < anomalyPoints) return null;
  const values = history.map(({ value }) => value);
  return { ...normalRangeBy[method](values, sensitivity), points: history.length };
}

export const seriesOf = (
  { metric }: Pick<AnomalyDetection, "metric">,
  { timezone }: Pick<Moment, "timezone">,
): Series => ({ kind: metric === "RowCount" ? "Count" : "Number", timezone });

/** The range that was learned so far, by which a value is judged; null while there are too few points. */
export function learnedRange(
  learned: Learned,
  series: Series,
  { metric, sensitivity }: Pick<AnomalyDetection, "metric" | "sensitivity">,
  at: Date,
  value: number,
): NormalRange | null {
  const judged = judge(learned, series, at, value, { width: sensitivity, direction: "Both" });
  if (!judged) return null;
  const { low, high, center, points, reason } = judged;
  const season = seasonInWords(judged.season);
  return {
    ...(metric === "RowCount" ? inWholeRows({ low, high }) : { low, high }),
    ...{ center, points, basis: "learned" },
    ...(season !== null && { season }),
    ...(reason !== null && { reason }),
  };
}

const inWholeRows = ({ low, high }: { low: number; high: number }) => ({
  low: Math.floor(low),
  high: Math.ceil(high),
});

/** null if the value is normal. */
export function anomalyOf(
  value: number,
  usual: NormalRange,
  { metric, method }: Pick<AnomalyDetection, "metric" | "method">,
): FoundAnomaly | null {
  const isInside = value >= usual.low && value <= usual.high;
  if (isInside && usual.reason === undefined) return null;
  const isHigh = value > usual.high;
  const bound = isHigh ? usual.high : usual.low;
  const allowed = Math.abs(bound - usual.center);
  const name = metricNames[metric];
  const compared = isInside ? `is unusual, though within` : `is ${isHigh ? "above" : "below"}`;
  return {
    severity: isInside
      ? "Medium"
      : severityOf(allowed === 0 ? Number.POSITIVE_INFINITY : Math.abs(value - usual.center) / allowed),
    detectedValue: value,
    expectedLow: usual.low,
    expectedHigh: usual.high,
    explanation:
      `The ${name} ${figure(value)} ${compared} the usual ` +
      `${rangeInWords(usual, figure)}${usual.season === undefined ? "" : ` of ${usual.season}`}` +
      `${usual.reason === undefined ? "" : `: ${usual.reason}`} ` +
      `(${usual.basis}, from ${figure(usual.points)} executions in ${daysOf(method)} days)`,
  };
}

/** Judges a value against those of the previous days; null if it is normal or there is too little history. */
export function findAnomaly(
  value: number,
  history: readonly PastValue[],
  detection: Omit<AnomalyDetection, "enabled">,
  moment: Moment,
): FoundAnomaly | null {
  const usual = normalRangeOf(value, history, detection, moment);
  return usual && anomalyOf(value, usual, detection);
}

const normalRangeBy: Record<
  Exclude<AnomalyMethod, "Learned">,
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

const figures = new Intl.NumberFormat("en", { maximumSignificantDigits: 6 });
const wholeFigures = new Intl.NumberFormat("en");
const figure = (value: number) => (Number.isInteger(value) ? wholeFigures : figures).format(value);
