import { expect, test } from "vitest";
import { expiriesWithin, expiryMoment, longestExpiry } from "./expiry.ts";

const now = new Date("2025-11-20T12:30:00Z");

test("presets count days from now, and never is null", () => {
  expect(expiryMoment("30", "", now, "UTC")?.toISOString()).toBe("2025-12-20T12:30:00.000Z");
  expect(expiryMoment("365", "", now, "UTC")?.toISOString()).toBe("2026-11-20T12:30:00.000Z");
  expect(expiryMoment("never", "2025-12-24", now, "UTC")).toBeNull();
});

test("a key works through the end of the selected day, in the zone", () => {
  const end = (zone: string) => expiryMoment("date", "2025-12-24", now, zone);
  expect(end("UTC")?.toISOString()).toBe("2025-12-24T23:59:59.000Z");
  expect(end("America/New_York")?.toISOString()).toBe("2025-12-25T04:59:59.000Z");
  expect(expiryMoment("date", "", now, "UTC")).toBeUndefined();
});

test("an operator's longest lifetime leaves out what is longer, and never", () => {
  expect(expiriesWithin(null)).toContain("never");
  expect(expiriesWithin(100)).toEqual(["30", "90", "date"]);
  expect(expiriesWithin(7)).toEqual(["date"]);
  expect([longestExpiry(400), longestExpiry(60), longestExpiry(7)]).toEqual(["90", "30", "date"]);
});
