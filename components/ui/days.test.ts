import { expect, test } from "vitest";
import { dayOf, startOfDay } from "./days.ts";

test("a day starts at midnight in the local time zone, and so does the next day", () => {
  expect(startOfDay("2025-11-20")).toEqual(new Date(2025, 10, 20));
  expect(startOfDay("2025-12-31", 1)).toEqual(new Date(2026, 0, 1));
  expect(dayOf(new Date(2026, 0, 1, 23, 59))).toBe("2026-01-01");
});

test("invalid and partly typed dates are null", () => {
  for (const day of ["", "2025-11", "0002-01-01", "tomorrow"]) expect(startOfDay(day)).toBeNull();
});
