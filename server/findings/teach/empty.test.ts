import { expect, test } from "vitest";
import { aColumn, aTable } from "../table.fixture.ts";
import { emptyReasons } from "./empty.ts";

const filled = (count: number) => Array.from({ length: count }, (_, index) => `v${index}`);

test("empty cells are a reason, the fewer the more likely wrong; blanks are empty", () => {
  const few = emptyReasons(aColumn("x", [null, " ", ...filled(98)]));
  expect(few).toMatchObject([{ key: "Empty x", kind: "MissingValue", prior: 0.4 }]);
  expect(few[0]?.rows).toEqual(Int32Array.of(0, 1));
  expect(emptyReasons(aColumn("x", [null, ...filled(3)]))).toMatchObject([{ prior: 0.25 }]);
  expect(emptyReasons(aColumn("x", [null, null, null, "v"]))).toMatchObject([{ prior: 0.05 }]);
});

test("a column that is filled or empty throughout has no empty cell to doubt", () => {
  expect(emptyReasons(aColumn("x", filled(5)))).toEqual([]);
  expect(emptyReasons(aColumn("x", [null, null]))).toEqual([]);
  expect(emptyReasons(aTable(["x"], []))).toEqual([]);
});

test("words that stand for nothing, apart where they may be values", () => {
  const reasons = emptyReasons(aColumn("x", ["N/A", "n/a", "none", ...filled(20)]));
  expect(reasons.map(({ key, rows, prior }) => [key, [...rows], prior])).toEqual([
    ["Sure placeholder x", [0, 1], 0.5],
    ["Possible placeholder x", [2], 0.3],
  ]);
  expect(emptyReasons(aColumn("x", ["N/A", "N/A", "v"]))).toMatchObject([{ prior: 0.05 }]);
});
