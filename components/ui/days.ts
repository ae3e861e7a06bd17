import { dayLater, momentOfWall } from "@/server/zoned-time.ts";

/** Days as a date field holds them (yyyy-mm-dd), in a time zone. Pure. */

/** The start of a day, or of the day `daysLater`; null if the text is not a date. */
export function startOfDay(day: string, zone: string, daysLater = 0): Date | null {
  // While someone types a year, the field goes through 0002, 0020, and 0202.
  if (!/^[1-9]\d{3}-\d\d-\d\d$/.test(day) || Number.isNaN(Date.parse(day))) return null;
  return momentOfWall(`${dayLater(day, daysLater)}T00:00:00`, zone);
}
