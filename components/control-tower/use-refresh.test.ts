import { expect, test } from "vitest";
import { refreshIn } from "./use-refresh.ts";

test("the next refresh is due 30 s after the last, never later and never in the past", () => {
  const now = 1_000_000;
  expect(refreshIn(now - 12_000, now)).toBe(18_000);
  expect(refreshIn(now - 31_000, now)).toBe(0);
  expect(refreshIn(0, now)).toBe(0);
  expect(refreshIn(now + 3_600_000, now)).toBe(30_000);
});
