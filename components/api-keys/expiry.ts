import { startOfDay } from "../ui/days.ts";

/** When a new key expires: in a number of days, on a selected date, or never. */
export const expiries = ["30", "90", "365", "never", "date"] as const;
export type Expiry = (typeof expiries)[number];

export const expiryLabels: Record<Expiry, string> = {
  "30": "In 30 days",
  "90": "In 90 days",
  "365": "In a year",
  never: "Never",
  date: "On a day…",
};

const day = 24 * 3600 * 1000;

/**
 * The expiry time, null for never; undefined until a date is selected. A selected date (yyyy-mm-dd) is the key's last
 * day, in `zone`.
 */
export function expiryMoment(
  expiry: Expiry,
  picked: string,
  now: Date,
  zone: string,
): Date | null | undefined {
  if (expiry === "never") return null;
  if (expiry !== "date") return new Date(now.getTime() + Number(expiry) * day);
  const next = startOfDay(picked, zone, 1);
  return next ? new Date(next.getTime() - 1000) : undefined;
}

/** Those that an operator allows, by the longest lifetime of keys. */
export const expiriesWithin = (maxDays: number | null): Expiry[] =>
  expiries.filter(
    (each) => maxDays === null || (each !== "never" && (each === "date" || Number(each) <= maxDays)),
  );

/** What to begin with. */
export const longestExpiry = (maxDays: number): Expiry =>
  expiriesWithin(maxDays).findLast((each) => each !== "date" && Number(each) <= 90) ?? "date";
