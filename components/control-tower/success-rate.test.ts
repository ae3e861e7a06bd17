import { expect, test } from "vitest";
import { exactRate, formatRate } from "./success-rate.ts";

test.each([
  [89.99, "89.9 %"],
  [90, "90.0 %"],
  [99.97, "99.9 %"],
  [100, "100.0 %"],
  [64.1, "64.1 %"],
  [0.04, "0.0 %"],
  [0, "0.0 %"],
])("%d is shown as %s, never as more than it is", (rate, shown) => {
  expect(formatRate(rate).replace(/\u00a0/g, " ")).toBe(shown);
});

test("the exact rate includes its counts", () => {
  expect(exactRate({ successRate: 89.99, totalExecutions: 10_000, failedCount: 1001 })).toBe(
    "89.99 %: 8,999 of 10,000 runs were successful",
  );
  expect(exactRate({ successRate: null, totalExecutions: 0, failedCount: 0 })).toBe("No runs in this window");
});
