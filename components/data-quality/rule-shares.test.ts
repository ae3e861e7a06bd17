import { expect, test } from "vitest";
import { effectiveWeightOf, pointsLost, sharesOf } from "./rule-shares.ts";

test("the effective weight is weight × severity multiplier", () => {
  expect(effectiveWeightOf({ weight: 1, severity: "Low" })).toBe(1);
  expect(effectiveWeightOf({ weight: 1.5, severity: "High" })).toBe(4.5);
  expect(effectiveWeightOf({ weight: 10, severity: "Critical" })).toBe(40);
});

test("shares are parts of the sum of effective weights, and disabled rules have none", () => {
  // 1×1 + 1×3 + 1×4 = 8: an eighth, three eighths, a half. The disabled rule is not included.
  const shares = sharesOf([
    { weight: 1, severity: "Low" },
    { weight: 1, severity: "High" },
    { weight: 10, severity: "Critical", enabled: false },
    { weight: 1, severity: "Critical" },
  ]);
  expect(shares).toEqual([12.5, 37.5, 0, 50]);
});

test("an unfinished weight doesn't break the other rules' shares", () => {
  expect(
    sharesOf([
      { weight: Number.NaN, severity: "High" },
      { weight: 2, severity: "Low" },
    ]),
  ).toEqual([0, 100]);
});

test("with no enabled rule, every share is zero", () => {
  expect(sharesOf([{ weight: 1, severity: "High", enabled: false }])).toEqual([0]);
  expect(sharesOf([])).toEqual([]);
});

test("a rule costs its share of the points it misses", () => {
  expect(pointsLost(25, 0)).toBe(25);
  expect(pointsLost(25, 100)).toBe(0);
  // 40% of the 12.5 missing points.
  expect(pointsLost(40, 87.5)).toBe(5);
});
