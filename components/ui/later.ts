import { dayIn, dayLater, momentOfWall, wallTime } from "@/server/zoned-time.ts";

/** Suggested times for postponing something, in a time zone. Pure. */

export type Later = { label: string; until: Date };

/** In an hour, tomorrow at 09:00, Monday at 09:00 (unless that is tomorrow); soonest first. */
export function suggestedTimes(now: Date, zone: string): Later[] {
  const today = dayIn(now, zone);
  const atNine = (days: number) => momentOfWall(`${dayLater(today, days)}T09:00:00`, zone) ?? now;
  const weekday = new Date(today).getUTCDay();
  const toMonday = ((8 - weekday) % 7) + (weekday === 1 ? 7 : 0);
  return [
    { label: "for 1 hour", until: new Date(now.getTime() + 3_600_000) },
    { label: "until tomorrow, 09:00", until: atNine(1) },
    ...(toMonday > 1 ? [{ label: "until Monday, 09:00", until: atNine(toMonday) }] : []),
  ];
}

/** A time as a datetime-local field holds it: 2025-11-20T14:03. */
export const fieldText = (moment: Date, zone: string): string => wallTime(moment, zone).slice(0, 16);

/** Parses a datetime-local value; null if empty or while the year is still being typed (0202). */
export function momentOfText(text: string, zone: string): Date | null {
  return /^[1-9]\d{3}-\d\d-\d\dT\d\d:\d\d/.test(text) ? momentOfWall(text, zone) : null;
}
