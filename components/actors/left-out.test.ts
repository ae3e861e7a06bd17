import { expect, test } from "vitest";
import type { Action } from "@/server/actors/schema.ts";
import { leftOutAfter, needsInWords } from "./left-out.ts";

const common = { reasoning: "", status: "Proposed" as const, error: null };
const schedule = { cronExpression: "0 6 * * *", timezone: "UTC", queryId: null };
const actions: Action[] = [
  { ...common, kind: "CreateQuery", index: 0, name: "Late", description: "", sql: "" },
  { ...common, ...schedule, kind: "CreateSubscription", index: 1, queryName: "Late" },
  { ...common, kind: "CreateQuery", index: 2, name: "Other", description: "", sql: "" },
  { ...common, ...schedule, kind: "CreateSubscription", index: 3, queryName: "Late" },
];

test("what needs an action is left out with it, and what it needs is taken with it", () => {
  const without = leftOutAfter(actions, new Set([2]), 0, false);
  expect([...without]).toEqual([0, 1, 2, 3]);
  expect([...leftOutAfter(actions, without, 3, true)]).toEqual([1, 2]);
  expect([...leftOutAfter(actions, new Set(), 1, false)]).toEqual([1]);
});

test("what went along is said", () => {
  expect(needsInWords(actions, new Set([2]))).toBeNull();
  expect(needsInWords(actions, new Set([0, 1, 3]))).toBe(
    "Actions 2 and 4 cannot run without the query that is left out.",
  );
});
