/**
 * How the console formats numbers, durations, percentages, and times. Pure: the same input gives the same text
 * on the server and in the browser. Moment and Count render these with the exact value on hover.
 */

/** A no-break space between a number and its unit. */
const gap = "\u00a0";

const whole = new Intl.NumberFormat("en", { maximumFractionDigits: 0 });

/** All digits, grouped: 1,234,567. Up to `places` decimals. */
export function formatNumber(value: number, places = 0): string {
  return places === 0
    ? whole.format(value)
    : new Intl.NumberFormat("en", { maximumFractionDigits: places }).format(value);
}

/** Exactly `places` decimals: 82.35, 80.00. */
export function formatFixed(value: number, places: number): string {
  return new Intl.NumberFormat("en", { minimumFractionDigits: places, maximumFractionDigits: places }).format(
    value,
  );
}

/** Abbreviated counts: up to 9,999 in full, then 12.3 k, 5.0 M, 1.2 B. Show the exact number on hover. */
export function formatCount(value: number): string {
  const size = Math.abs(value);
  if (size < 10_000) return whole.format(value);
  for (const [unit, from] of [
    ["B", 1e9],
    ["M", 1e6],
    ["k", 1e3],
  ] as const) {
    // 999,950 is 1.0 M, not 1000.0 k.
    if (size >= from * 0.99995) return `${formatFixed(value / from, 1)}${gap}${unit}`;
  }
  return whole.format(value);
}

/** A percentage with one decimal: 96.4 %. Takes 96.4, not 0.964. */
export function formatPercent(value: number, places = 1): string {
  return `${formatFixed(value, places)}${gap}%`;
}

/** Milliseconds as 340 ms, 1.2 s, 1 min 20 s, 2 h 5 min, 3 d 4 h. */
export function formatDuration(milliseconds: number): string {
  if (milliseconds < 1) return `${milliseconds <= 0 ? 0 : "<1"}${gap}ms`;
  if (milliseconds < 999.5) return `${Math.round(milliseconds)}${gap}ms`;
  if (milliseconds < 9_950) return `${formatFixed(milliseconds / 1000, 1)}${gap}s`;
  const seconds = Math.round(milliseconds / 1000);
  if (seconds < 60) return `${seconds}${gap}s`;
  if (seconds < 3600) return two(Math.floor(seconds / 60), "min", seconds % 60, "s");
  const minutes = Math.round(seconds / 60);
  if (minutes < 1440) return two(Math.floor(minutes / 60), "h", minutes % 60, "min");
  const hours = Math.round(minutes / 60);
  return two(Math.floor(hours / 24), "d", hours % 24, "h");
}

function two(large: number, largeUnit: string, small: number, smallUnit: string): string {
  const first = `${large}${gap}${largeUnit}`;
  return small === 0 ? first : `${first} ${small}${gap}${smallUnit}`;
}

export { plural } from "@/server/text.ts";

const week = 7 * 24 * 3600;

/**
 * A time relative to `now`: just now, 4 min ago, in 2 h, 3 d ago. More than a week away, the date in `zone`
 * .
 */
export function formatRelative(moment: Date, now: Date, zone: string): string {
  const seconds = Math.round((now.getTime() - moment.getTime()) / 1000);
  const distance = Math.abs(seconds);
  if (distance < 5) return "just now";
  if (distance >= week) return formatDate(moment, now, zone);
  const text =
    distance < 60
      ? `${distance}${gap}s`
      : distance < 3600
        ? `${Math.floor(distance / 60)}${gap}min`
        : distance < 86_400
          ? `${Math.floor(distance / 3600)}${gap}h`
          : `${Math.floor(distance / 86_400)}${gap}d`;
  return seconds > 0 ? `${text} ago` : `in ${text}`;
}

/** 12 Nov, or with the year if it isn't the current one: 12 Nov 2023. */
export function formatDate(moment: Date, now: Date, zone: string): string {
  const year = (date: Date) =>
    new Intl.DateTimeFormat("en", { year: "numeric", timeZone: zone }).format(date);
  return new Intl.DateTimeFormat("en-GB", {
    day: "numeric",
    month: "short",
    ...(year(moment) === year(now) ? {} : { year: "numeric" }),
    timeZone: zone,
  }).format(moment);
}

/** The time of day, with the date unless it is the same day as `now`: 14:00, 24 Nov 14:00. */
export function formatClock(moment: Date, now: Date, zone: string): string {
  const [date, today] = [formatDate(moment, now, zone), formatDate(now, now, zone)];
  const clock = new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit", timeZone: zone });
  return date === today ? clock.format(moment) : `${date} ${clock.format(moment)}`;
}

/** The exact time with its zone: Thu, 20 Nov 2025, 14:03:12 CET. */
export function formatExact(moment: Date, zone: string): string {
  return new Intl.DateTimeFormat("en-GB", {
    weekday: "short",
    day: "numeric",
    month: "short",
    year: "numeric",
    hour: "2-digit",
    minute: "2-digit",
    second: "2-digit",
    timeZoneName: "short",
    timeZone: zone,
  }).format(moment);
}
