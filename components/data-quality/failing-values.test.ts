import { expect, test } from "vitest";
import type { Samples } from "@/server/data-quality/sample-schema.ts";
import { byValueOf } from "./failing-values.ts";

const kept: Samples = {
  columns: [
    { name: "id", type: "integer" },
    { name: "age", type: "integer" },
  ],
  rows: [
    [1, 200],
    [2, 300],
    [3, 300],
  ],
  maskedColumns: [],
  byValue: null,
  totalFailing: 9,
};
const range = { type: "Range", column: "age" } as const;

test("what the data source counted comes first", () => {
  const values = [{ value: 300, rows: 6 }];
  const byValue = { column: "age", values, isMasked: false, hasMore: true };
  expect(byValueOf({ ...kept, byValue }, range)).toMatchObject({ values, hasMore: true, isExact: true });
});

test("else the kept rows are counted, and are said to be those", () => {
  expect(byValueOf(kept, range)).toEqual({
    column: "age",
    values: [
      { value: 300, rows: 2 },
      { value: 200, rows: 1 },
    ],
    hasMore: false,
    isExact: false,
  });
});

test("rows that no value tells apart are not counted, nor are masked values", () => {
  expect(byValueOf(kept, { type: "NullRate", column: "age" })).toBeNull();
  expect(byValueOf(kept, { type: "RowCondition", column: null })).toBeNull();
  expect(byValueOf(kept, { ...range, column: "dropped" })).toBeNull();
  expect(byValueOf({ ...kept, maskedColumns: ["age"] }, range)).toBeNull();
});
