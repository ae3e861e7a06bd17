/** The history chart's scales. Pure: numbers in, positions and labels out. */

export type Point = {
  id: number;
  at: string;
  score: number;
  /** Why it could not be evaluated; the line then has a gap, and the score is meaningless. */
  notEvaluatedBecause: string | null;
  passedCount: number;
  failedCount: number;
  trigger: "Manual" | "Scheduled";
  /** The contract's version that was judged, if it is known. */
  version: number | null;
};

/**
 * The range of scores in the chart. It ends at 100 and starts at a round number below everything drawn, so that
 * small changes near the top are visible; the labels show where it starts.
 */
export function scoreSpan(scores: readonly number[], threshold: number): { low: number; ticks: number[] } {
  const lowest = Math.min(threshold, ...scores);
  const step = lowest >= 85 ? 5 : lowest >= 60 ? 10 : lowest >= 20 ? 20 : 25;
  const low = Math.max(0, Math.min(100 - 2 * step, Math.floor((lowest - step / 4) / step) * step));
  const ticks = [];
  for (let tick = 100; tick >= low; tick -= step) ticks.unshift(tick);
  return { low: ticks[0] ?? 0, ticks };
}

/** The evaluations that were the first of another version of the contract; the points are oldest first. */
export function contractVersionMarks(points: readonly { version: number | null }[]) {
  const known = points
    .map(({ version }, index) => ({ version, index }))
    .filter(({ version }) => version !== null);
  return known.flatMap(({ version, index }, place) =>
    place > 0 && known[place - 1]?.version !== version && version !== null ? [{ index, version }] : [],
  );
}
