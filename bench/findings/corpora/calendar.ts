import type { Random } from "../../../faults/random.ts";
import { dateText, dayMs, normal } from "../draw.ts";

/** What makes one day unlike another: weekends, holidays, seasons and the ends of months. */

export const hourMs = 3_600_000;

/** Every midnight from a date to a moment. */
export function daysFrom(start: string, end: number): number[] {
  const first = Date.parse(start);
  return Array.from(
    { length: Math.max(0, Math.floor((end - first) / dayMs) + 1) },
    (_, day) => first + day * dayMs,
  );
}

/** 0 is Sunday. */
export const weekdayOf = (day: number): number => new Date(day).getUTCDay();
export const isWeekend = (day: number): boolean => weekdayOf(day) % 6 === 0;
export const isWorkday = (day: number): boolean => !isWeekend(day) && !isHoliday(day);

/** New Year, the first of May, Christmas, and Friday and Monday around Easter. */
export function isHoliday(day: number): boolean {
  const text = dateText(day);
  const easter = easterOf(Number(text.slice(0, 4)));
  return (
    ["01-01", "05-01", "12-25", "12-26"].includes(text.slice(5, 10)) ||
    day === easter - 2 * dayMs ||
    day === easter + dayMs
  );
}

const easters: Record<number, string> = {
  2022: "2022-04-17",
  2023: "2023-04-09",
  2024: "2024-03-31",
  2025: "2025-04-20",
  2026: "2026-04-05",
};
const easterOf = (year: number) => Date.parse(easters[year] ?? `${year}-04-10`);

/** How many workdays are left in the month, this one included. */
export function workdaysLeft(day: number): number {
  const month = new Date(day).getUTCMonth();
  let [count, at] = [0, day];
  for (; new Date(at).getUTCMonth() === month; at += dayMs) count += Number(isWorkday(at));
  return count;
}

/** More in winter, or in summer where the share is below 0. */
export const season = (day: number, share: number): number =>
  1 + share * Math.cos((2 * Math.PI * (day / dayMs - 10)) / 365.25);

/** How many of independent events come where so many are expected. */
export function poisson(random: Random, mean: number): number {
  if (mean > 40) return Math.max(0, Math.round(mean + normal(random) * Math.sqrt(mean)));
  let [count, product] = [0, random.next()];
  for (const limit = Math.exp(-mean); product > limit; count++) product *= random.next();
  return count;
}

/** So many moments of a day, in order: most in the hours around noon. */
export const momentsOf = (
  random: Random,
  day: number,
  count: number,
  [opens, closes]: readonly [number, number] = [0, 24],
) =>
  Array.from({ length: count }, () => {
    const middle = (random.next() + random.next() + random.next()) / 3;
    return day + Math.floor((opens + middle * (closes - opens)) * hourMs);
  }).sort((a, b) => a - b);
