import { expect, test } from "vitest";
import type { Subscription } from "@/server/subscriptions/schema.ts";
import { inOrder, isFound, isInState } from "./subscription-rows.ts";

const now = Date.parse("2025-11-20T14:00:00Z");

function aSubscription(queryName: string, given: Partial<Subscription> = {}): Subscription {
  return {
    id: 1,
    queryId: 1,
    queryName,
    projectId: 1,
    cronExpression: "0 * * * *",
    timezone: "UTC",
    enabled: true,
    parameters: {},
    timeoutSeconds: 60,
    condition: { kind: "RowsFound", threshold: null },
    createTasks: false,
    anomalyDetection: { enabled: false, method: "StandardDeviation", sensitivity: 2.5, metric: "RowCount" },
    recipientIds: [],
    silencedUntil: null,
    aiActorId: null,
    owner: null,
    incidents: [],
    lastExecution: null,
    nextRunAt: null,
    createdAt: "2025-01-01T00:00:00.000Z",
    ...given,
  };
}

const incident = {
  kind: "Failing",
  reason: "…",
  openedAt: "2025-11-20T00:00:00.000Z",
  closedAt: null,
} as const;
const outcome = {
  run: "Ran",
  found: null,
  told: { state: "NothingToTell", recipients: 0, sent: 0, failed: 0, silencedUntil: null },
} as const;
const ended = (status: "Failed" | "NoResults", executedAt: string) => ({
  lastExecution: { id: 1, status, executedAt, outcome },
});

const names = (subscriptions: Subscription[]) => subscriptions.map(({ queryName }) => queryName);

test("what needs attention stands first, what is off last", () => {
  const all = [
    aSubscription("b fine"),
    aSubscription("off and failed", { enabled: false, ...ended("Failed", "2025-11-20T13:00:00.000Z") }),
    aSubscription("failed", ended("Failed", "2025-11-20T13:00:00.000Z")),
    aSubscription("a fine", ended("NoResults", "2025-11-20T13:30:00.000Z")),
    aSubscription("off, in an incident", { enabled: false, incidents: [incident] }),
  ];
  expect(names(inOrder(all, "attention", "asc"))).toEqual([
    "off, in an incident",
    "failed",
    "a fine",
    "b fine",
    "off and failed",
  ]);
});

test("the latest run first, and those that never ran last in both directions", () => {
  const all = [
    aSubscription("never"),
    aSubscription("early", ended("NoResults", "2025-11-19T00:00:00.000Z")),
    aSubscription("late", ended("NoResults", "2025-11-20T00:00:00.000Z")),
  ];
  expect(names(inOrder(all, "last", "desc"))).toEqual(["late", "early", "never"]);
  expect(names(inOrder(all, "last", "asc"))).toEqual(["early", "late", "never"]);
});

test("a silence that is over is none", () => {
  const silenced = (silencedUntil: string) =>
    isInState(aSubscription("a", { silencedUntil }), "silenced", now);
  expect(silenced("2025-11-20T14:00:01.000Z")).toBe(true);
  expect(silenced("2025-11-20T14:00:00.000Z")).toBe(false);
});

test("a subscription is found by its query and by what it is given", () => {
  const orders = aSubscription("Orders without customer", { parameters: { country: "DE", days: 3 } });
  expect(isFound(orders, "customer orders")).toBe(true);
  expect(isFound(orders, "orders de")).toBe(true);
  expect(isFound(orders, "invoices")).toBe(false);
});
