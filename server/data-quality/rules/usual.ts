import { rangeInWords, seasonInWords } from "../../normal/in-words.ts";
import { judge } from "../../normal/judge.ts";
import type { Direction } from "../../normal/judging.ts";
import {
  type Learned,
  learn,
  learnAll,
  minPoints,
  nothingLearned,
  type Series,
} from "../../normal/learned.ts";
import type { NumberKind } from "../../normal/scale.ts";
import { Decimal } from "../decimal.ts";
import type { Verdict } from "./verdict.ts";

/**
 * Bounds that a rule learns from its own measurements, instead of fixed ones or beside them. Types say how in `usual`. The
 * browser loads this file too.
 */
export type Usual = {
  kind: NumberKind;
  /** What the measured number is divided by to be of that kind: 100 for a share in percent. */
  per?: number;
  /** A configuration that anything passes, for what is not set beside `usual`. */
  unbounded: Readonly<Record<string, unknown>>;
  /** What is measured, in words: "row count". */
  subject(values: Readonly<Record<string, string | null>>): string;
  /** A measured number in words, without `unit`, which follows the last one. */
  figure(value: number): string;
  unit?: string;
  /** Whether it is rounded outwards to whole numbers. */
  isWhole?: true;
  /** The score of a number that is so far outside; 0 if not given. */
  score?(distance: Decimal): Decimal;
};

export const usualDirections = ["Both", "Above", "Below"] as const satisfies readonly Direction[];
/** How many spreads from what is expected are usual, as for anomalies of subscriptions. */
export const defaultWidth = 4;

export type PastMeasurement = { at: Date; value: number };

/** What is usual at a moment: bounds in the measured unit, null on a side that does not matter. */
export type UsualRange = {
  low: number | null;
  high: number | null;
  season: string | null;
  /** What is unusual besides the range, in words; then a measurement fails even within it. */
  reason: string | null;
};

/** "as usual", "not above what is usual". */
export const directionInWords = (direction: string | null | undefined): string =>
  direction === "Above"
    ? "not above what is usual"
    : direction === "Below"
      ? "not below what is usual"
      : "as usual";

/** A type with `usual` and the options of a rule that learns. */
export type Learning = {
  usual: Usual;
  /** As stored: its bounds, if there are some, and its options. */
  configuration: Readonly<Record<string, unknown>>;
  /** Hours and weekdays are those of its clocks. */
  timezone: string;
};

const optionsOf = ({ configuration: { usual, usualWidth } }: Learning) => ({
  direction: usualDirections.find((each) => each === usual) ?? "Both",
  width: typeof usualWidth === "number" ? usualWidth : defaultWidth,
});

const seriesOf = ({ usual, timezone }: Learning): Series => ({ kind: usual.kind, timezone });

/** The range by which a measurement is judged; null while there are too few before it. */
function rangeAt(learned: Learned, learning: Learning, at: Date, measured: number): UsualRange | null {
  const { usual } = learning;
  const judged = judge(learned, seriesOf(learning), at, scaled(learning, measured), optionsOf(learning));
  if (!judged) return null;
  const bound = (value: number, outwards: (value: number) => number) => {
    if (!Number.isFinite(value)) return null;
    const measured = value * (usual.per ?? 1);
    // A plain number may be of any size, so there are no places to round to.
    if (usual.kind === "Number") return measured;
    return usual.isWhole ? outwards(measured) : outwards(measured * 10_000) / 10_000;
  };
  return {
    low: bound(judged.low, Math.floor),
    high: bound(judged.high, Math.ceil),
    season: seasonInWords(judged.season),
    reason: judged.reason,
  };
}

const scaled = ({ usual }: Learning, value: number) => value / (usual.per ?? 1);

/** What is usual for a measurement now, after all others; null while there are too few. */
export function usualNow(
  past: readonly PastMeasurement[],
  learning: Learning,
  at: Date,
  measured: number,
): UsualRange | null {
  const series = seriesOf(learning);
  const points = past.map(({ at, value }) => ({ at, value: scaled(learning, value) }));
  return rangeAt(learnAll(series, points), learning, at, measured);
}

/** What was usual at each measurement, after those before it; null for the first ones. */
export function usualThen<Point extends PastMeasurement>(
  past: readonly Point[],
  learning: Learning,
): { point: Point; range: UsualRange | null }[] {
  const learned = nothingLearned();
  return past.map((point) => {
    const range = rangeAt(learned, learning, point.at, point.value);
    learn(learned, seriesOf(learning), point.at, scaled(learning, point.value));
    return { point, range };
  });
}

export const isUsual = (value: number, range: UsualRange): boolean =>
  range.reason === null && isInside(value, range);

const isInside = (value: number, { low, high }: Pick<UsualRange, "low" | "high">) =>
  (low === null || value >= low) && (high === null || value <= high);

/** "usually 41,000 to 52,000 rows on Mondays". */
export function usualInWords(
  { low, high, season }: Omit<UsualRange, "reason">,
  { figure, unit = "" }: Usual,
): string {
  const range = rangeInWords(
    { low: low ?? Number.NEGATIVE_INFINITY, high: high ?? Number.POSITIVE_INFINITY },
    figure,
  );
  const when = season === null ? "" : season.startsWith("at ") ? ` ${season}` : ` on ${season}`;
  return `usually ${range}${unit}${when}`;
}

/**
 * The verdict of a rule that learns. What could not be measured stays as it is, and so does one with too little history,
 * which passes and says so. A number outside fails, whatever else the rule allows.
 */
export function judgedByUsual(
  verdict: Verdict,
  past: readonly PastMeasurement[],
  learning: Learning,
  at: Date,
): Verdict {
  if (!verdict.couldRun || verdict.measured === null) return verdict;
  const { usual } = learning;
  const range = usualNow(past, learning, at, verdict.measured.toNumber());
  const beside = isBounded(usual, learning.configuration) ? verdict.expectedValue : null;
  const told = (words: string) => [beside, words].filter(Boolean).join(", ");
  if (!range) {
    const missing = `judged from measurement ${minPoints + 1} on, so far there are ${past.length}`;
    return {
      ...verdict,
      expectedValue: told(`${directionInWords(optionsOf(learning).direction)} (${missing})`),
    };
  }
  const expectedValue = told(usualInWords(range, usual));
  const { measured } = verdict;
  if (isUsual(measured.toNumber(), range)) return { ...verdict, expectedValue };
  const edge = range.low !== null && measured.lessThan(range.low) ? range.low : (range.high ?? 0);
  const distance = measured.minus(edge).abs();
  const isOutside = !isInside(measured.toNumber(), range);
  const score = (isOutside && usual.score?.(distance)) || new Decimal(0);
  const what = isOutside ? `${measured.lessThan(edge) ? "Below" : "Above"} what is usual` : "Unusual";
  return {
    ...verdict,
    ...{ expectedValue, passed: false, score: Decimal.min(score, verdict.score) },
    message: verdict.message ?? (range.reason === null ? what : `${what}: ${range.reason}`),
  };
}

/** Whether a fixed bound is set, too. */
export const isBounded = ({ unbounded }: Usual, configuration: Readonly<Record<string, unknown>>): boolean =>
  Object.keys(unbounded).some((key) => (configuration[key] ?? null) !== null);
