import { expect, test } from "vitest";
import { needOf, withDependents, withNeeds } from "./action-dependencies.ts";

const create = (index: number, name: string) => ({ kind: "CreateQuery" as const, index, name });
const subscribe = (index: number, queryName: string | null, queryId: number | null = null) => ({
  ...{ kind: "CreateSubscription" as const, index, queryName, queryId },
});
const notify = { kind: "SendNotification" as const, index: 5 };
const actions = [
  create(0, "Late orders"),
  subscribe(1, " Late orders "),
  subscribe(2, null, 7),
  create(3, "Other"),
  subscribe(4, "Other"),
  notify,
];

test("a subscription needs the query of the same plan, one of an existing query needs nothing", () => {
  expect(actions.map((action) => needOf(actions, action))).toEqual([null, 0, null, null, 3, null]);
  // Presented actions name an existing query, too.
  expect(needOf(actions, subscribe(6, "Other", 7))).toBeNull();
});

test("leaving out a query leaves out its subscriptions; taking one takes its query along", () => {
  expect([...withDependents(actions, new Set([0, 5]))]).toEqual([0, 1, 5]);
  expect([...withDependents(actions, new Set([1]))]).toEqual([1]);
  expect([...withNeeds(actions, new Set([4, 5]))].sort()).toEqual([3, 4, 5]);
});
