import { expect, test } from "vitest";
import { addResults, batchesOf, reasonsOf } from "./results.ts";

test("as many calls as needed, none for nothing", () => {
  expect(batchesOf([])).toEqual([]);
  expect(batchesOf(Array.from({ length: 1001 }, (_, index) => index)).map((each) => each.length)).toEqual([
    500, 500, 1,
  ]);
});

test("results add up, and reasons are grouped", () => {
  const failed = (id: number, problem: string) => ({ id, ok: false, problem });
  const one = { done: 1, failed: 1, items: [{ id: 1, ok: true, problem: null }, failed(2, "Gone")] };
  const other = { done: 0, failed: 2, items: [failed(3, "Locked"), failed(4, "Locked")] };
  expect(addResults(one, other)).toMatchObject({ done: 1, failed: 3 });
  expect(reasonsOf(addResults(one, other))).toEqual([
    { problem: "Locked", ids: [3, 4] },
    { problem: "Gone", ids: [2] },
  ]);
});
