/** The history chart's scales. Pure: numbers in, places and labels out. */

export type Point = {
  id: number;
  at: string;
  score: number;
  /** Why it could not be evaluated: then there is a gap in the line, and the score says nothing. */
  notEvaluatedBecause: string | null;
  passedCount: number;
  failedCount: number;
  trigger: "Manual" | "Scheduled";
};

/**
 * The scores that the chart spans. It ends at 100 and begins at a round number below everything that is drawn,
 * so that small changes near the top can be seen; the labels say where it begins.
 */
export function scoreSpan(scores: readonly number[], threshold: number): { low: number; ticks: number[] } {
  const lowest = Math.min(threshold, ...scores);
  const step = lowest >= 85 ? 5 : lowest >= 60 ? 10 : lowest >= 20 ? 20 : 25;
  const low = Math.max(0, Math.min(100 - 2 * step, Math.floor((lowest - step / 4) / step) * step));
  const ticks = [];
  for (let tick = 100; tick >= low; tick -= step) ticks.unshift(tick);
  return { low: ticks[0] ?? 0, ticks };
}
