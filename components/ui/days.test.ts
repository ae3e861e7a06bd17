import { expect, test } from "vitest";
import { startOfDay } from "./days.ts";

test("a day starts at midnight in the zone, and so does the next day", () => {
  expect(startOfDay("2025-11-20", "Europe/Berlin")).toEqual(new Date("2025-11-19T23:00:00Z"));
  expect(startOfDay("2025-12-31", "America/New_York", 1)).toEqual(new Date("2026-01-01T05:00:00Z"));
});

test("a day on which clocks change has 23 or 25 hours", () => {
  const hours = (day: string) =>
    (Number(startOfDay(day, "Europe/Berlin", 1)) - Number(startOfDay(day, "Europe/Berlin"))) / 3_600_000;
  expect(["2025-03-30", "2025-10-26", "2025-10-27"].map(hours)).toEqual([23, 25, 24]);
});

test("invalid and partly typed dates are null", () => {
  for (const day of ["", "2025-11", "0002-01-01", "2025-13-40", "tomorrow"])
    expect(startOfDay(day, "UTC")).toBeNull();
});
