import { expect, test } from "vitest";
import { expiryMoment } from "./expiry.ts";

const now = new Date("2025-11-20T12:30:00Z");

test("presets count days from now, and never is null", () => {
  expect(expiryMoment("30", "", now)?.toISOString()).toBe("2025-12-20T12:30:00.000Z");
  expect(expiryMoment("365", "", now)?.toISOString()).toBe("2026-11-20T12:30:00.000Z");
  expect(expiryMoment("never", "2025-12-24", now)).toBeNull();
});

test("a key works through the end of the selected day, in local time", () => {
  const end = expiryMoment("date", "2025-12-24", now);
  expect(end && [end.getFullYear(), end.getMonth(), end.getDate(), end.getHours()]).toEqual([
    2025, 11, 24, 23,
  ]);
  expect(expiryMoment("date", "", now)).toBeUndefined();
});
