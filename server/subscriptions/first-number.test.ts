import { expect, test } from "vitest";
import { firstNumber } from "./first-number.ts";

const of = (columns: [string, string | number | boolean | null][]) =>
  firstNumber({ columns: columns.map(([type]) => ({ type })), rows: [columns.map(([, cell]) => cell)] });

test.each([
  [
    [
      ["text", "12"],
      ["int8", "9007199254740993"],
    ],
    9007199254740992,
  ],
  [
    [
      ["date", "2026-01-02"],
      ["numeric", "3.50"],
    ],
    3.5,
  ],
  [[["float8", "-0.25"]], -0.25],
  [[["BIGINT UNSIGNED", "7"]], 7],
  [[["DECIMAL(10,2)", "7.25"]], 7.25],
  [[["money", 4]], 4],
  [[["Int", 4]], 4],
  [[["number", 0]], 0],
] as [[string, string | number][], number][])("%j gives %d", (columns, value) => {
  expect(of(columns)).toBe(value);
});

test.each([
  [
    "no column of numbers",
    [
      ["text", "12"],
      ["interval", "00:00:01"],
      ["point", "(1,2)"],
    ],
  ],
  [
    "no value",
    [
      ["int4", null],
      ["int4", 5],
    ],
  ],
  ["no number that can be counted with", [["float8", "NaN"]]],
] as [string, [string, string | null][]][])("%s gives none", (_, columns) => {
  expect(of(columns)).toBeNull();
});

test("no row gives none", () => {
  expect(firstNumber({ columns: [{ type: "int4" }], rows: [] })).toBeNull();
});
