import { expect, test } from "vitest";
import { aColumn, aTable } from "../table.fixture.ts";
import { nearReasons } from "./near.ts";

const times = (count: number, value: string) => Array.from({ length: count }, () => value);
const said = (values: readonly (string | null)[]) =>
  nearReasons(aColumn("x", values)).map(({ key, rows }) => [key, [...rows]]);

test("a slip of a frequent value, and a value that is rare where others repeat", () => {
  expect(said(["Breemen", ...times(40, "Bremen"), ...times(40, "Hamburg"), "Ulm"])).toEqual([
    ["Slip x", [0]],
    ["Rare x", [0, 81]],
    ["Word x", [0]],
  ]);
});

test("short codes with one character replaced; a digit makes another number", () => {
  expect(said(["xl", "9%", ...times(40, "al"), ...times(40, "8%")])).toEqual([
    ["Replaced x", [0]],
    ["Rare x", [0, 1]],
  ]);
});

test("numbers that differ are no slips, but the word behind them may be", () => {
  const values = Array.from({ length: 60 }, (_, index) => `${index % 5} patients`);
  expect(said([...values, "7 patients", "1 patiexts"])).toEqual([
    ["Slip x", [61]],
    ["Rare x", [60, 61]],
    ["Word x", [61]],
  ]);
});

test("where nothing repeats, nothing is rare", () => {
  expect(
    said(Array.from({ length: 50 }, (_, index) => `name ${String.fromCharCode(97 + (index % 26))}${index}`)),
  ).toEqual([]);
  expect(nearReasons(aTable(["n integer"], [[1], [1], [2]]))).toEqual([]);
  expect(said([])).toEqual([]);
});
