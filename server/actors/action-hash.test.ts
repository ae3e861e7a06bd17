import { expect, test } from "vitest";
import { actionHash } from "./action-hash.ts";
import type { ProposedAction } from "./proposal.ts";

const refine = { kind: "RefineQuery", reasoning: "It is late", queryId: 7, sql: "select 1" } as const;

test("an action's hash doesn't depend on property order", () => {
  const { kind, reasoning, queryId, sql } = refine;
  const turned: ProposedAction = { sql, queryId, reasoning, kind };
  expect(actionHash(turned, { baseVersion: 2, queryName: "Late" })).toBe(
    actionHash(refine, { queryName: "Late", baseVersion: 2 }),
  );
});

test.each([
  ["its SQL", { ...refine, sql: "select 2" }, { baseVersion: 2 }],
  ["its target", { ...refine, queryId: 8 }, { baseVersion: 2 }],
  ["its reasoning", { ...refine, reasoning: "It is early" }, { baseVersion: 2 }],
  ["the version that it is about", refine, { baseVersion: 3 }],
])("%s makes another hash", (_, proposed, facts) => {
  expect(actionHash(proposed, facts)).not.toBe(actionHash(refine, { baseVersion: 2 }));
});
