import { dayIn, dayLater, momentOfWall, wallTime } from "../zoned-time.ts";

/** Times of day as HH:MM; past midnight if they end before they start. */
export type QuietHours = { from: string; until: string };

/** When the quiet hours that are now end in the zone; null if there are none now. Pure. */
export function quietUntil(now: Date, quiet: QuietHours | null, zone: string): Date | null {
  if (!quiet) return null;
  const { from, until } = quiet;
  const clock = wallTime(now, zone).slice(11, 16);
  const today = dayIn(now, zone);
  const crossesMidnight = from > until;
  const isEvening = crossesMidnight && clock >= from;
  const isQuiet = crossesMidnight ? isEvening || clock < until : clock >= from && clock < until;
  if (!isQuiet) return null;
  const end = momentOfWall(`${dayLater(today, isEvening ? 1 : 0)}T${until}:00`, zone);
  // While a repeated hour runs for the second time, its end has passed already.
  return end && end > now ? end : null;
}
