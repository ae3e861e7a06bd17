import { expect, test } from "vitest";
import { judge } from "./judge.ts";
import type { Condition } from "./schema.ts";

const always: Condition = { kind: "Always", threshold: null };
const found: Condition = { kind: "RowsFound", threshold: null };
const above = (threshold: number): Condition => ({ kind: "RowCountAbove", threshold });
const below = (threshold: number): Condition => ({ kind: "RowCountBelow", threshold });

test.each([
  [always, 0, "NotificationSent"],
  [always, 7, "NotificationSent"],
  [found, 0, "NoResults"],
  [found, 1, "NotificationSent"],
  [above(10), 0, "NoResults"],
  [above(10), 10, "BelowThreshold"],
  [above(10), 11, "NotificationSent"],
  [above(0), 0, "NoResults"],
  [below(5), 0, "NotificationSent"],
  [below(5), 4, "NotificationSent"],
  [below(5), 5, "NoResults"],
  [below(5), 500, "NoResults"],
])("%j of %i rows is %s", (condition, rows, status) => {
  expect(judge(condition, rows, false)).toEqual({ status, isMet: status === "NotificationSent" });
});

test("a silence only suppresses a condition that is met", () => {
  expect(judge(found, 3, true)).toEqual({ status: "NotificationSilenced", isMet: true });
  expect(judge(found, 0, true)).toEqual({ status: "NoResults", isMet: false });
  expect(judge(above(10), 3, true)).toEqual({ status: "BelowThreshold", isMet: false });
});
