import { expect, test } from "vitest";
import { backoffMs, retryAfterMs } from "./retry.ts";

test("the delay doubles up to an hour, less a random part of at most half", () => {
  const never = () => 0;
  const max = () => 1;
  // 10 s, 20 s, 40 s; 10 s × 2⁹ = 5,120 s is more than an hour.
  expect([1, 2, 3, 10].map((tries) => backoffMs(tries, never))).toEqual([10_000, 20_000, 40_000, 3_600_000]);
  expect(backoffMs(1, max)).toBe(5_000);
});

test.each([
  ["7", 7_000],
  ["2026-01-01T00:01:00.000Z", 60_000],
  ["2025-12-31T00:00:00.000Z", 0],
  ["soon", null],
  [null, null],
])("Retry-After: %s", (header, ms) => {
  expect(retryAfterMs(header, new Date("2026-01-01T00:00:00Z"))).toBe(ms);
});
