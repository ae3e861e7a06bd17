import { expect, test } from "vitest";
import type { Actor } from "@/server/actors/schema.ts";
import { actorFormOf, actorInputOf, emptyActor } from "./actor-form.ts";
import { actorProblems } from "./actor-problems.ts";

const filled = emptyActor({ name: "Watcher", instructions: "Watch the orders", dataSourceId: 3 });

test("typed values are parsed, and empty limits mean no limit", () => {
  expect(actorInputOf(filled)).toEqual({
    ...{ name: "Watcher", instructions: "Watch the orders", additionalContext: null, dataSourceId: 3 },
    wishes: { tables: [], exclude: [], checks: [], schedule: null, maxChecks: null },
    ...{ maxQueries: 10, maxSubscriptionsPerQuery: 3, defaultRecipientIds: [] },
    monthlyBudget: { tokens: null, cost: null },
    ...{ requiresApproval: true, activateImmediately: true },
  });
  const budget = { tokens: "500,000", cost: " 2.5 " };
  expect(actorInputOf({ ...filled, monthlyBudget: budget }).monthlyBudget).toEqual({
    ...{ tokens: 500_000, cost: 2.5 },
  });
});

test.each([
  ["1 000 000", 1_000_000],
  ["1,5", "1,5"],
  ["12,34", "12,34"],
  ["many", "many"],
])("%s tokens are sent as %s", (tokens, sent) => {
  expect(actorInputOf({ ...filled, monthlyBudget: { tokens, cost: "" } }).monthlyBudget?.tokens).toBe(sent);
});

test("a valid form has no problems, and an empty one lists each problem", () => {
  expect(actorProblems(filled)).toEqual([]);
  expect(actorProblems(emptyActor())).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ path: "name" }),
      { path: "instructions", message: "is required" },
      { path: "dataSourceId", message: "is required" },
    ]),
  );
});

test("a problem's path is the path of its field", () => {
  const paths = (change: Partial<typeof filled>) =>
    actorProblems({ ...filled, ...change }).map(({ path }) => path);
  expect(paths({ maxQueries: "0" })).toEqual(["maxQueries"]);
  expect(paths({ maxSubscriptionsPerQuery: "1.5" })).toEqual(["maxSubscriptionsPerQuery"]);
  expect(paths({ monthlyBudget: { tokens: "many", cost: "0" } })).toEqual([
    ...["monthlyBudget.tokens", "monthlyBudget.cost"],
  ]);
});

test("an actor survives the round trip through the form", () => {
  const { dataSourceId, ...write } = actorInputOf(filled);
  const actor = { ...write, dataSourceId, monthlyBudget: { tokens: 1000, cost: null } } as Actor;
  expect(actorInputOf(actorFormOf(actor))).toEqual(actor);
});
