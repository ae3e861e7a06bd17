/** The time axis of a chart. Pure: times in, positions and labels out. */

/** The position of each time between the first (0) and the last (1); evenly spaced if all times are equal. */
export function timePlaces(times: readonly number[]): number[] {
  const first = times[0] ?? 0;
  const span = (times.at(-1) ?? 0) - first;
  if (span > 0) return times.map((time) => (time - first) / span);
  return times.map((_, index) => (times.length > 1 ? index / (times.length - 1) : 0.5));
}

/** The index of the nearest position. */
export function nearest(places: readonly number[], place: number): number {
  let best = 0;
  places.forEach((each, index) => {
    if (Math.abs(each - place) <= Math.abs((places[best] ?? 0) - place)) best = index;
  });
  return best;
}

const day = 24 * 3600 * 1000;
const tenMinutes = 600_000;

/** A time axis label: seconds within minutes, time of day within two days, otherwise the date. */
export function axisLabel(time: number, span: number, zone: string): string {
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
