/** The history chart's scales. Pure: numbers in, places and labels out. */

export type Point = {
  id: number;
  at: string;
  score: number;
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

/** Where each time stands between the first (0) and the last (1); evenly when all are at one time. */
export function timePlaces(times: readonly number[]): number[] {
  const first = times[0] ?? 0;
  const span = (times.at(-1) ?? 0) - first;
  if (span > 0) return times.map((time) => (time - first) / span);
  return times.map((_, index) => (times.length > 1 ? index / (times.length - 1) : 0.5));
}

/** The index whose place is nearest. */
export function nearest(places: readonly number[], place: number): number {
  let best = 0;
  places.forEach((each, index) => {
    if (Math.abs(each - place) <= Math.abs((places[best] ?? 0) - place)) best = index;
  });
  return best;
}

const day = 24 * 3600 * 1000;
const tenMinutes = 600_000;

/** A label of the time axis: the time of day within two days, to the second within minutes, then the date. */
export function axisLabel(time: number, span: number, zone?: string): string {
  const options: Intl.DateTimeFormatOptions =
    span < 2 * day
      ? {
          hour: "2-digit",
          minute: "2-digit",
          ...(span > day / 2 && { weekday: "short" }),
          ...(span < tenMinutes && { second: "2-digit" }),
        }
      : { day: "numeric", month: "short", ...(span > 300 * day && { year: "2-digit" }) };
  return new Intl.DateTimeFormat("en-GB", { ...options, timeZone: zone }).format(time);
}
