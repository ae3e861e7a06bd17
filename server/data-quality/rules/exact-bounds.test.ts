import { expect, test } from "vitest";
import { exactBound } from "./exact-bounds.ts";

const mysqlDecimal = { maxDigits: 65, maxPlaces: 30 };
const sqlserverDecimal = { maxDigits: 38, maxPlaces: 38 };

const nines = "9".repeat(65);

test.each([
  ["10", "10", "decimal(2, 0)"],
  ["-10.50", "-10.5", "decimal(3, 1)"],
  [".5", "0.5", "decimal(2, 1)"],
  ["+007.", "7", "decimal(1, 0)"],
  ["9007199254740993", "9007199254740993", "decimal(16, 0)"],
  [`0.${"1".repeat(30)}`, `0.${"1".repeat(30)}`, "decimal(31, 30)"],
  [`${"1".repeat(35)}.${"1".repeat(30)}`, `${"1".repeat(35)}.${"1".repeat(30)}`, "decimal(65, 30)"],
])("%s is %s, a %s", (bound, text, type) => {
  expect(exactBound(bound, "atMost", mysqlDecimal)).toEqual({ text, type });
  expect(exactBound(bound, "atLeast", mysqlDecimal)).toEqual({ text, type });
});

test.each([
  // More decimal places than a column has: 0.33…33|3 lies between two values.
  [`0.${"3".repeat(40)}`, `0.${"3".repeat(30)}`, `0.${"3".repeat(29)}4`],
  [`-0.${"3".repeat(40)}`, `-0.${"3".repeat(29)}4`, `-0.${"3".repeat(30)}`],
  // With 60 digits before the decimal point, a value has five after it.
  [`${"1".repeat(60)}.1111119`, `${"1".repeat(60)}.11111`, `${"1".repeat(60)}.11112`],
  // Larger than every value.
  ["1".repeat(80), nines, nines],
  [`-${"1".repeat(80)}`, `-${nines}`, `-${nines}`],
])("%s is at most %s, at least %s", (bound, atMost, atLeast) => {
  expect(exactBound(bound, "atMost", mysqlDecimal).text).toBe(atMost);
  expect(exactBound(bound, "atLeast", mysqlDecimal).text).toBe(atLeast);
});

test.each([
  [`0.${"3".repeat(40)}`, `0.${"3".repeat(37)}`, `0.${"3".repeat(36)}4`, "decimal(38, 37)"],
  ["9".repeat(39), "9".repeat(38), "9".repeat(38), "decimal(38, 0)"],
  ["10.50", "10.5", "10.5", "decimal(3, 1)"],
])("on SQL Server, %s is at most %s, at least %s, a %s", (bound, atMost, atLeast, type) => {
  expect(exactBound(bound, "atMost", sqlserverDecimal)).toEqual({ text: atMost, type });
  expect(exactBound(bound, "atLeast", sqlserverDecimal)).toEqual({ text: atLeast, type });
});
