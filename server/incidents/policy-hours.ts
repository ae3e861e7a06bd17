import { dayIn, dayLater, wallTime } from "../zoned-time.ts";
import type { PolicyHours } from "./schema.ts";

/** Whether a moment lies in a policy's hours. Those past midnight belong to the day on which they begin. Pure. */
export function isWithin(hours: PolicyHours | null, at: Date): boolean {
  if (hours === null) return true;
  const { days, from, until, timezone } = hours;
  const clock = wallTime(at, timezone).slice(11, 16);
  const today = dayIn(at, timezone);
  const isOn = (day: string) => days.includes(weekdayOf(day));
  if (from < until) return isOn(today) && clock >= from && clock < until;
  return (isOn(today) && clock >= from) || (isOn(dayLater(today, -1)) && clock < until);
}

/** 1 is Monday, 7 Sunday. */
const weekdayOf = (day: string): number => new Date(`${day}T00:00:00Z`).getUTCDay() || 7;
