/**
 * Wall-clock times in a time zone. Pure; every page loads this file, so it imports nothing.
 *
 * A wall time is ISO 8601 without a zone: 2025-11-20T14:03:12. When clocks go forward, some wall times do not exist;
 * when they go back, some exist twice.
 */

export function isTimeZone(zone: string): boolean {
  try {
    new Intl.DateTimeFormat("en", { timeZone: zone });
    return zone !== "" && !/^[+-]/.test(zone);
  } catch {
    return false;
  }
}

const clocks = new Map<string, Intl.DateTimeFormat>();

function clockIn(zone: string): Intl.DateTimeFormat {
  const known = clocks.get(zone);
  if (known) return known;
  const two = "2-digit";
  const clock = new Intl.DateTimeFormat("en-US", {
    ...{ calendar: "iso8601", numberingSystem: "latn", hourCycle: "h23", timeZone: zone },
    ...{ year: "numeric", month: two, day: two, hour: two, minute: two, second: two },
  });
  clocks.set(zone, clock);
  return clock;
}

/** What clocks in the zone show, to the second. */
export function wallTime(moment: Date, zone: string): string {
  const parts = clockIn(zone).formatToParts(moment);
  const part = (type: Intl.DateTimeFormatPartTypes) => parts.find((each) => each.type === type)?.value ?? "";
  const day = `${part("year").padStart(4, "0")}-${part("month")}-${part("day")}`;
  return `${day}T${part("hour")}:${part("minute")}:${part("second")}`;
}

/** How far the zone is ahead of UTC at that time, in milliseconds. */
function offsetAt(time: number, zone: string): number {
  return Date.parse(`${wallTime(new Date(time), zone)}Z`) - Math.floor(time / 1000) * 1000;
}

const day = 24 * 3600 * 1000;

/**
 * When clocks in the zone show a wall time: the first of two such times, and for one that is skipped as much later as
 * the clocks go forward (02:30 becomes 03:30, and a day without a midnight starts at 01:00). null if it is not a date.
 */
export function momentOfWall(wall: string, zone: string): Date | null {
  const guess = Date.parse(`${wall}Z`);
  if (Number.isNaN(guess)) return null;
  const [before, after] = [offsetAt(guess - day, zone), offsetAt(guess + day, zone)];
  const [early, late] = [guess - before, guess - after];
  const isReal = (time: number, offset: number) => offsetAt(time, zone) === offset;
  return new Date(!isReal(early, before) && isReal(late, after) ? late : early);
}

/** The calendar day in the zone: yyyy-mm-dd. */
export const dayIn = (moment: Date, zone: string): string => wallTime(moment, zone).slice(0, 10);

/** The calendar day some days later (or earlier, if negative). */
export function dayLater(of: string, days: number): string {
  return new Date(Date.parse(`${of}T00:00:00Z`) + days * day).toISOString().slice(0, 10);
}

/** The name of a zone without its region: `Berlin`, `New York`, `UTC`. */
export const zoneName = (zone: string): string => zone.split("/").at(-1)?.replaceAll("_", " ") ?? zone;
