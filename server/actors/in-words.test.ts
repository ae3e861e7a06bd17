import { expect, test } from "vitest";
import { actionInShort, pendingPlansInWords, planInWords } from "./in-words.ts";
import type { Action, Plan } from "./schema.ts";

const proposed = { reasoning: "It grows", status: "Proposed", error: null } as const;
const actions: Action[] = [
  {
    ...proposed,
    ...{ kind: "CreateQuery", index: 0, name: "Late orders", description: "", sql: "select 1" },
    evidence: { valid: true, issues: [], rows: [[1]] },
  },
  {
    ...proposed,
    ...{ kind: "CreateSubscription", index: 1, queryName: null, queryId: 7, cronExpression: "0 6 * * *" },
    timezone: "UTC",
  },
  {
    ...proposed,
    ...{ kind: "RefineQuery", index: 2, queryId: 7, queryName: "Lost", currentSql: "select 2" },
    ...{ proposedSql: "drop table t", isLocked: true },
    evidence: { valid: false, issues: [{ gate: "read-only", error: "Only reading is allowed" }] },
  },
  { ...proposed, kind: "ArchiveQuery", index: 3, queryId: 8, queryName: "Old" },
  { ...proposed, kind: "ArchiveSubscription", index: 4, subscriptionId: 9, queryName: "Old" },
  {
    ...{ kind: "SendNotification", index: 5, subject: "Look", body: "There", severity: "High" },
    ...{ reasoning: "It matters", status: "Failed", error: "No recipient" },
  },
];
const plan: Plan = {
  ...{ id: 5, actorId: 2, actorName: "Watch", projectId: 1, dataSourceId: 3, trigger: "UserInstruction" },
  ...{ status: "PendingApproval", version: 2, parentPlanId: 4, userInstruction: "Look at orders" },
  ...{
    analysis: "They are **late**.",
    keyFindings: ["3 of 40"],
    feedbackAnswers: [
      { asked: "Look at orders", isDone: true, because: null },
      { asked: "At noon", isDone: false, because: "it runs hourly" },
    ],
    actions,
    tokensUsed: 9,
    estimatedCost: null,
  },
  ...{ model: "m", proposedAt: "2020-02-02T02:02:02.000Z", expiredReason: null, reviewer: null },
  ...{ decidedAt: null, decisionReason: null, executionId: null },
};

test("an action is described by its kind and subject", () => {
  expect(actions.map(actionInShort)).toEqual([
    "CreateQuery: Late orders",
    "CreateSubscription: query 7, 0 6 * * * UTC",
    "RefineQuery: Lost (7)",
    "ArchiveQuery: Old (8)",
    "ArchiveSubscription: Old (9)",
    "SendNotification: Look",
  ]);
});

test("a plan is described with its reasons, its SQL, and the gates' results", () => {
  expect(planInWords(plan).split("\n")).toEqual([
    "Plan 5 of Watch, version 2: PendingApproval (UserInstruction)",
    "Asked by a person: Look at orders",
    "They are **late**.",
    "- 3 of 40",
    "Asked: “Look at orders”: done",
    "Asked: “At noon”: not done, because it runs hourly",
    "1. CreateQuery: Late orders [Proposed]",
    "   It grows",
    "   SQL: select 1",
    "   Evidence: valid",
    "2. CreateSubscription: query 7, 0 6 * * * UTC [Proposed]",
    "   It grows",
    "3. RefineQuery: Lost (7) [Proposed]",
    "   It grows",
    "   SQL: drop table t",
    "   Its query is locked.",
    "   Evidence: refused; read-only: Only reading is allowed",
    "4. ArchiveQuery: Old (8) [Proposed]",
    "   It grows",
    "5. ArchiveSubscription: Old (9) [Proposed]",
    "   It grows",
    "6. SendNotification: Look [Failed: No recipient]",
    "   It matters",
    "Pending approval. Only people can decide on plans, in the browser.",
  ]);
  const decided = planInWords({ ...plan, status: "Rejected", decisionReason: "Too much" });
  expect(decided).toContain("version 2: Rejected (UserInstruction): Too much\n");
  expect(decided).not.toContain("It waits");
});

test("pending plans are listed one per line, with their number", () => {
  const item = {
    ...{ id: 5, actorId: 2, actorName: "Watch", trigger: "InitialSetup" as const, version: 1 },
    ...{ actions: ["ArchiveQuery: Old (8)"], proposedAt: "2020-02-02T02:02:02.000Z" },
  };
  expect(pendingPlansInWords({ items: [], page: 0, totalCount: 0 })).toBe("No plans are pending.");
  expect(pendingPlansInWords({ items: [], page: 3, totalCount: 2 })).toBe(
    "There is no page 3: 2 plans pending.",
  );
  expect(
    pendingPlansInWords({ items: [item, { ...item, id: 4, actions: [] }], page: 0, totalCount: 3 }),
  ).toBe(
    [
      "5: Watch, version 1 (InitialSetup, 2020-02-02T02:02:02.000Z): ArchiveQuery: Old (8)",
      "4: Watch, version 1 (InitialSetup, 2020-02-02T02:02:02.000Z): no actions",
      "3 plans in all.",
    ].join("\n"),
  );
});
