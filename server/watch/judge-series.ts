import { rangeInWords, seasonInWords } from "../normal/in-words.ts";
import { judge } from "../normal/judge.ts";
import { learn, minPoints, normalAt, nothingLearned, unusualnessOf } from "../normal/learned.ts";
import { type MeasureName, measures, seriesOf } from "./measures.ts";

/** Judges the latest point of a series by those before it. Pure. */

export type Point = { at: Date; value: number };

export type Judged = {
  isUnusual: boolean;
  /** In the measure's unit; infinite on a side that does not matter. */
  low: number;
  high: number;
  center: number;
  season: string | null;
  /** What is unusual besides the range, in words. */
  reason: string | null;
};

/** A value so many times further away than usual needs no second one. */
const farAway = 2;

/** The latest of some points, oldest first; null while there are too few before it to know what is usual. */
export function judgeLatest(measure: MeasureName, timezone: string, points: readonly Point[]): Judged | null {
  return judgedThen(measure, timezone, points).at(-1)?.judged ?? null;
}

/** What was usual at each point, after those before it. */
export function judgedThen(
  name: MeasureName,
  timezone: string,
  points: readonly Point[],
): { point: Point; judged: Judged | null }[] {
  const learned = nothingLearned();
  const series = seriesOf(name, timezone);
  const { twice, ...measure } = measures[name];
  const last = points.length - 1;
  let sideBefore = 0;
  return points.map((point, place) => {
    const sigmas = unusualnessOf(learned, series, point.at, point.value);
    const now = judge(learned, series, point.at, point.value, measure);
    const side = !now?.isUnusual ? 0 : point.value > now.center ? 1 : -1;
    const isFar = Math.abs(sigmas ?? 0) > farAway * measure.width;
    const isSure = !twice || side === sideBefore || isFar;
    sideBefore = side;
    if (place < last) learn(learned, series, point.at, point.value);
    if (!now) return { point, judged: null };
    const { low, high, center, reason } = now;
    const isUnusual = side !== 0 && isSure && measure.matters(point.value, center);
    return { point, judged: { isUnusual, low, high, center, season: seasonInWords(now.season), reason } };
  });
}

/** "usually 41,000 to 52,000 on Mondays". */
export function usuallyInWords(measure: MeasureName, { low, high, season }: Judged): string {
  const { figure } = measures[measure];
  const when = season === null ? "" : season.startsWith("at ") ? ` ${season}` : ` on ${season}`;
  return `usually ${rangeInWords({ low, high }, figure)}${when}`;
}

/** "New rows in a day: 12,300, usually 41,000 to 52,000 on Mondays". */
export function unusualInWords(
  measure: MeasureName,
  columnName: string | null,
  value: number,
  judged: Judged,
): string {
  const { words, figure } = measures[measure];
  const of = columnName === null ? "" : ` in ${columnName}`;
  const reason = judged.reason === null ? "" : `: ${judged.reason}`;
  return `${words}${of}: ${figure(value)}, ${usuallyInWords(measure, judged)}${reason}`;
}

/**
 * How long a table may stay as it is after its last change, in seconds: as long as it usually does from such an hour and
 * day on. null while there are too few intervals. A pause that was seen twice before is no surprise while little is known.
 */
export function usualPause(intervals: readonly Point[], timezone: string, since: Date): number | null {
  if (intervals.length < minPoints) return null;
  const learned = nothingLearned();
  const series = seriesOf("Interval", timezone);
  for (const { at, value } of intervals) learn(learned, series, at, value);
  const normal = normalAt(learned, series, since, measures.Interval);
  if (!normal) return null;
  const seenTwice = intervals.map(({ value }) => value).toSorted((a, b) => b - a)[1] ?? 0;
  const usual = Math.max(normal.high, 1.3 * normal.center);
  return intervals.length < littleKnown ? Math.max(usual, seenTwice) : usual;
}
const littleKnown = 60;
