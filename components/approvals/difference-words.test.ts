import { expect, test } from "vitest";
import { differenceWords } from "./difference-words.ts";
import type { ResultDifference } from "./result-difference.ts";

const none: ResultDifference = {
  columns: { gone: [], added: [], retyped: [] },
  rows: { changed: 0, gone: 0, added: 0 },
  isReordered: false,
  before: new Map(),
  after: new Map(),
};
const result = (rowCount: number, truncated = false) => ({ rowCount, truncated });

test("identical rows are reported as identical", () => {
  expect(differenceWords(result(3), result(3), none)).toEqual(["3 rows in both.", "The rows are the same."]);
  expect(differenceWords(result(0), result(0), none)).toEqual(["0 rows in both."]);
});

test("reports different counts and rows", () => {
  const rows = { changed: 1, gone: 3, added: 1 };
  expect(differenceWords(result(1200), result(1198), { ...none, rows })).toEqual([
    "Rows: 1,200 before, 1,198 with the change, 2 fewer.",
    "1 row with other values, 3 rows gone, 1 row new: marked below, in the order in which the rows came.",
  ]);
});

test("truncated rows are not counted", () => {
  expect(differenceWords(result(1000, true), result(5), none)[0]).toBe(
    "Rows: more than 1,000 before, 5 with the change.",
  );
  expect(differenceWords(result(1000, true), result(1000, true), none)).toEqual([
    "Rows: more than 1,000 before, more than 1,000 with the change.",
    "The rows shown are the same.",
  ]);
});

test("names the columns", () => {
  const columns = { gone: ["a"], added: ["b", "c"], retyped: [{ name: "d", was: "int4", is: "text" }] };
  expect(differenceWords(result(1), result(1), { ...none, columns })).toEqual([
    "1 row in both.",
    "Columns that are gone: “a”.",
    "Columns that are new: “b”, “c”.",
    "“d” is text instead of int4.",
  ]);
});

test("reports a different order", () => {
  expect(differenceWords(result(2), result(2), { ...none, isReordered: true })).toContain(
    "The same rows, in a different order.",
  );
});
