import { expect, test } from "vitest";
import type { Action } from "@/server/actors/schema.ts";
import { planLimits } from "./plan-limits.ts";

const common = { reasoning: "", status: "Proposed", error: null } as const;
const actor = {
  ...{ maxQueries: 3, maxSubscriptionsPerQuery: 2 },
  queries: [
    { id: 1, name: "Orphans", subscriptionCount: 2 },
    { id: 2, name: "Nulls", subscriptionCount: 0 },
  ],
  subscriptions: [
    { id: 11, queryId: 1 },
    { id: 12, queryId: 1 },
  ],
};
const schedule = { cronExpression: "0 6 * * *", timezone: "UTC" };

test("new queries and subscriptions count in order, and removals free up room", () => {
  const actions: Action[] = [
    { ...common, kind: "CreateQuery", index: 0, name: "Volume", description: "", sql: "" },
    { ...common, ...schedule, kind: "CreateSubscription", index: 1, queryName: "Volume", queryId: null },
    { ...common, ...schedule, kind: "CreateSubscription", index: 2, queryName: null, queryId: 1 },
    { ...common, kind: "ArchiveSubscription", index: 3, subscriptionId: 11, queryName: "Orphans" },
    { ...common, ...schedule, kind: "CreateSubscription", index: 4, queryName: null, queryId: 1 },
    { ...common, kind: "ArchiveQuery", index: 5, queryId: 2, queryName: "Nulls" },
    { ...common, kind: "CreateQuery", index: 6, name: "Dates", description: "", sql: "" },
  ];
  const { queries, byIndex } = planLimits(actions, actor);
  expect(queries).toEqual({ before: 2, after: 3, limit: 3 });
  expect(Object.fromEntries([...byIndex].map(([index, { count }]) => [index, count]))).toEqual({
    // 2 + 1 queries; 1 for the new one; 2 + 1; 2 + 1 - 1 + 1; 3 - 1 + 1 queries.
    ...{ 0: 3, 1: 1, 2: 3, 4: 3, 6: 3 },
  });
  expect(byIndex.get(2)).toEqual({
    ...{ whose: "The query", what: "subscriptions", count: 3, limit: 2 },
  });
});
