import { expect, test } from "vitest";
import { listEvaluationsInput } from "./schema.ts";

test.each([
  [undefined, 20],
  [1, 1],
  [500, 500],
])("take %s reads %d", (take, expected) => {
  expect(listEvaluationsInput.parse({ id: 1, take }).take).toBe(expected);
});

test.each([-1, 0, 501, 1e9, 1.5, Number.NaN, "20"])("take %s is refused", (take) => {
  expect(listEvaluationsInput.safeParse({ id: 1, take }).success).toBe(false);
});
