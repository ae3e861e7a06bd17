import { expect, test } from "vitest";
import { restrictionOf } from "./project-restriction.ts";

test("an unrestricted key has no project limit", () => {
  expect(restrictionOf({ restricted: false, allowedProjectIds: null })).toBeNull();
});

test("a restricted key is limited to its list", () => {
  expect(restrictionOf({ restricted: true, allowedProjectIds: [3, 1] })).toEqual([3, 1]);
});

test.each([
  [null],
  [undefined],
  [[]],
  [["1"]],
  [[1, "2"]],
  [[1, null]],
  [[1.5]],
  [[0]],
  [[-1]],
  [[2 ** 31]],
  [[[1]]],
  [1],
  ["1"],
  ["*"],
  [true],
  [{}],
  [{ 0: 1, length: 1 }],
  [{ all: true }],
])("a restricted key whose list is %j is limited to nothing, never to everything", (allowedProjectIds) => {
  expect(restrictionOf({ restricted: true, allowedProjectIds })).toEqual([]);
});
