import { expect, test } from "vitest";
import { actorStatusAfter, actorStatuses, isOver, phases, planStatusAfter, planStatuses } from "./states.ts";

test("an actor only moves as its lifecycle allows", () => {
  const moves = actorStatuses.map((status) => [
    status,
    (["pause", "resume", "setUp", "fail", "archive"] as const).map((event) =>
      actorStatusAfter(status, event),
    ),
  ]);
  expect(Object.fromEntries(moves)).toEqual({
    Draft: [null, "Active", "Active", "Failed", "Archived"],
    Active: ["Paused", null, null, "Failed", "Archived"],
    Paused: [null, "Active", null, "Failed", "Archived"],
    Failed: [null, "Active", null, null, "Archived"],
    Archived: [null, null, null, null, null],
  });
});

test("only a pending plan takes a decision, and only a running one ends", () => {
  const events = ["approve", "reject", "requestRevision", "expire", "finish", "fail"] as const;
  const moves = planStatuses.map((status) => [status, events.map((event) => planStatusAfter(status, event))]);
  const none = [null, null, null, null, null, null];
  expect(Object.fromEntries(moves)).toEqual({
    PendingApproval: ["Executing", "Rejected", "RevisionRequested", "Expired", null, null],
    Executing: [null, null, null, null, "Executed", "Rejected"],
    Executed: none,
    Rejected: none,
    RevisionRequested: none,
    Expired: none,
  });
});

test("a cycle is over once it has completed or failed", () => {
  expect(phases.filter(isOver)).toEqual(["Completed", "Failed"]);
});
