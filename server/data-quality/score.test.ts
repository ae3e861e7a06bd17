import { describe, expect, test } from "vitest";
import { Decimal } from "./decimal.ts";
import { overallScore, roundScore } from "./score.ts";
import type { Severity } from "./severities.ts";

const rule = (score: number | string, weight = 1, severity: Severity = "Low") => ({
  score: new Decimal(score),
  weight,
  severity,
});

describe("overallScore", () => {
  test.each([
    ["no enabled rules", [], 100],
    ["one rule is its own score", [rule(42.5, 3, "High")], 42.5],
    // (100 + 0) / 2
    ["equal weights average", [rule(100), rule(0)], 50],
    // (100 × 1 + 0 × 2 + 100 × 3 + 0 × 4) / (1 + 2 + 3 + 4) = 400 / 10
    [
      "severities multiply by 1, 2, 3 and 4",
      [rule(100, 1, "Low"), rule(0, 1, "Medium"), rule(100, 1, "High"), rule(0, 1, "Critical")],
      40,
    ],
    // effective weights 0.5 × 4 = 2, 10 × 1 = 10, 0.1 × 2 = 0.2:
    // (0 × 2 + 100 × 10 + 75 × 0.2) / 12.2 = 1015 / 12.2 = 83.1967…
    [
      "weights and severities together",
      [rule(0, 0.5, "Critical"), rule(100, 10, "Low"), rule(75, 0.1, "Medium")],
      83.2,
    ],
    // (66.666… + 100) / 2 = 83.333…; rounding the rule first would give (66.67 + 100) / 2 = 83.335 → 83.34
    ["only the result is rounded", [rule(new Decimal(2).div(3).times(100).toString()), rule(100)], 83.33],
    // (0.1 × 100 + 0.2 × 100) / 0.3: floating point would give 100.00000000000001
    ["decimal weights add up", [rule(100, 0.1), rule(100, 0.2)], 100],
    // (2.01 + 0) / 2 = 1.005
    ["half goes away from zero", [rule("2.01"), rule(0)], 1.01],
  ])("%s", (_name, rules, expected) => {
    expect(overallScore(rules)).toBe(expected);
  });
});

test.each([
  ["1.005", 1.01],
  ["1.0049999", 1],
  ["0.005", 0.01],
  ["99.994", 99.99],
  ["99.995", 100],
  ["33.333333333333333333", 33.33],
])("%s rounds to %d", (exact, rounded) => {
  expect(roundScore(new Decimal(exact))).toBe(rounded);
});
