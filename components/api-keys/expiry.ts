import { startOfDay } from "../ui/days.ts";

/** When a new key is to end: a number of days from now, on a day that is picked, or never. */
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
 * The moment that a choice means, null for never; undefined while no day is picked. A picked day (yyyy-mm-dd) is
 * the key's last one, in the reader's own time zone.
 */
export function expiryMoment(expiry: Expiry, picked: string, now: Date): Date | null | undefined {
  if (expiry === "never") return null;
  if (expiry !== "date") return new Date(now.getTime() + Number(expiry) * day);
  const next = startOfDay(picked, 1);
  return next ? new Date(next.getTime() - 1000) : undefined;
}
