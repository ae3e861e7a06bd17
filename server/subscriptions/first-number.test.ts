import { expect, test } from "vitest";
import { firstNumber } from "./first-number.ts";

const of = (columns: [string, string | number | boolean | null][]) =>
  firstNumber({
    columns: columns.map(([type], index) => ({ name: `column ${index}`, type })),
    rows: [columns.map(([, cell]) => cell)],
  });

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
  expect(of(columns)?.value).toBe(value);
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

test("the result names its column", () => {
  const columns = [
    ["text", "12"],
    ["float8", "1.5"],
    ["int4", 7],
  ] as [string, string | number][];
  expect(of(columns)).toEqual({ column: "column 1", value: 1.5 });
});

test("no row gives no number", () => {
  expect(firstNumber({ columns: [{ name: "n", type: "int4" }], rows: [] })).toBeNull();
});
