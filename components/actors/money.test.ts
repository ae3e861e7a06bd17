import { expect, test } from "vitest";
import { costUse, exactCost, exactSum, formatCost, tokensUse } from "./money.ts";

test.each([
  [null, "unknown"],
  [0, "$0.00"],
  [12.3, "$12.30"],
  [0.1, "$0.10"],
  [0.05, "$0.05"],
  [0.0042, "$0.0042"],
  [0.005, "$0.005"],
  [0.00001, "<$0.0001"],
  [1234.5, "$1,234.50"],
])("%s dollars are %s", (dollars, text) => {
  expect(formatCost(dollars)).toBe(text);
});

test("the exact amount has every digit, and an unknown price is not an amount", () => {
  expect(exactCost(0.00012345)).toBe("$0.00012345");
  expect(exactCost(null)).toContain("not known");
});

test("a budget's share never exceeds 1, and is null without a limit", () => {
  expect(tokensUse(12_000, 50_000)).toEqual({ text: "12.0\u00a0k of 50.0\u00a0k", share: 0.24 });
  expect(tokensUse(60_000, 50_000).share).toBe(1);
  expect(tokensUse(17, null)).toEqual({ text: "17", share: null });
  expect(costUse(1.5, 2, false)).toEqual({ text: "$1.50 of $2.00", share: 0.75 });
});

test("a partial sum is never shown as zero, nor as the total", () => {
  expect(costUse(0, null, true)).toEqual({ text: "unknown", share: null });
  expect(costUse(1.5, null, true)).toEqual({ text: "over $1.50", share: null });
  expect(exactSum(1.5, true)).toBe("$1.5 and what calls without a known price cost");
});
