import { expect, test } from "vitest";
import { cellGroups } from "./cell-groups.ts";
import { aReason } from "./reason.fixture.ts";

test("cells that the same reasons doubt are one group, each column by itself", () => {
  const reasons = [
    aReason("x", [0, 1, 2]),
    aReason("y", [2, 3]),
    aReason("z", [0, 1, 2], { column: "b" }),
    aReason("w", [0, 1], {}),
  ];
  const { groups, groupAt } = cellGroups(6, reasons);
  expect(groups).toEqual([
    { column: "a", reasons: [0, 1], rows: [2] },
    { column: "a", reasons: [1], rows: [3] },
    { column: "a", reasons: [0, 3], rows: [0, 1] },
    { column: "b", reasons: [2], rows: [0, 1, 2] },
  ]);
  expect([groupAt("a", 1), groupAt("a", 2), groupAt("a", 3), groupAt("b", 2)]).toEqual([2, 0, 1, 3]);
  expect([groupAt("a", 5), groupAt("c", 0), groupAt("b", 99)]).toEqual([-1, -1, -1]);
});

test("no reasons, no groups", () => {
  expect(cellGroups(3, []).groups).toEqual([]);
  expect(cellGroups(0, [aReason("x", [])]).groups).toEqual([]);
});
