import { localTimeAt } from "./calendar.ts";
import { surprises } from "./dense.ts";
import { surpriseInWords } from "./in-words.ts";
import { type Judging, standardWidth } from "./judging.ts";
import {
  isJudgedDense,
  isWithin,
  type Learned,
  type Normal,
  normalAt,
  rangeFor,
  type Series,
} from "./learned.ts";

/** A value, judged by the points before it. */
export type Judgement = Omit<Normal, "others"> & {
  isUnusual: boolean;
  /**
   * What is unusual besides the range, in words, as a clause: "the last 2 hours vary less than before". Then a value can be
   * unusual within the range, too. null for a usual value, and where only the range counts.
   */
  reason: string | null;
};

/** null while there are too few points. */
export function judge(
  learned: Learned,
  series: Series,
  at: Date,
  value: number,
  judging: Judging,
): Judgement | null {
  const known = normalAt(learned, series, at, judging);
  if (!known) return null;
  const { others: _, ...normal } = rangeFor(known, value);
  if (!isJudgedDense(learned, series)) return { ...normal, isUnusual: !isWithin(known, value), reason: null };
  const time = localTimeAt(at.getTime(), series.timezone);
  const surprise = surprises(learned.dense, series.kind, time, judging.direction)(value);
  if (surprise.share * standardWidth > judging.width)
    return { ...normal, isUnusual: true, reason: surpriseInWords(surprise, learned.step, time) };
  return {
    ...normal,
    low: Math.min(normal.low, value),
    high: Math.max(normal.high, value),
    isUnusual: false,
    reason: null,
  };
}
