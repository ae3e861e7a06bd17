import { expect, test } from "vitest";
import { createSubscriptionInput, type Subscription } from "@/server/subscriptions/schema.ts";
import { emptySubscription, formOf, parametersFor, subscriptionInputOf } from "./subscription-form.ts";
import { formPath, problemsOf } from "./subscription-problems.ts";

const now = Date.parse("2025-11-20T14:00:00Z");

const stored: Subscription = {
  id: 7,
  queryId: 3,
  queryName: "Orders without a customer",
  name: "Morning check",
  title: "Morning check",
  projectId: 1,
  cronExpression: "*/15 * * * *",
  timezone: "Europe/Berlin",
  enabled: false,
  parameters: { country: "DE", days: 3, since: "", isPaid: false, region: null },
  timeoutSeconds: 90,
  condition: { kind: "RowCountAbove", threshold: 0 },
  createTasks: true,
  anomalyDetection: { enabled: true, method: "Iqr", sensitivity: 1.5, metric: "FirstNumericColumn" },
  recipientIds: [4, 2],
  silencedUntil: "2025-11-21T08:00:00.000Z",
  silencedBy: { id: 2, name: "Ada" },
  silenceReason: "A migration",
  revision: 1,
  aiActorId: null,
  owner: null,
  incidents: [],
  lastExecution: null,
  nextRunAt: null,
  createdAt: "2025-01-01T00:00:00.000Z",
};

test("a stored subscription survives the round trip", () => {
  const form = formOf(stored, ["country", "days", "since", "isPaid", "region"], now);
  expect(problemsOf(form)).toEqual([]);
  expect(subscriptionInputOf(form)).toEqual({
    queryId: 3,
    name: "Morning check",
    cronExpression: "*/15 * * * *",
    timezone: "Europe/Berlin",
    enabled: false,
    parameters: stored.parameters,
    timeoutSeconds: 90,
    condition: { kind: "RowCountAbove", threshold: 0 },
    createTasks: true,
    anomalyDetection: stored.anomalyDetection,
    recipientIds: [4, 2],
    silencedUntil: "2025-11-21T08:00:00.000Z",
  });
});

test("an expired silence and parameters the query no longer has are dropped", () => {
  const form = formOf({ ...stored, silencedUntil: "2025-11-20T13:59:00.000Z" }, ["days", "limit"], now);
  expect(form.silencedUntil).toBeNull();
  expect(form.parameters).toEqual({
    days: { kind: "number", typed: "3" },
    limit: { kind: "text", typed: "" },
  });
  expect(problemsOf(form)).toEqual([{ path: "parameters.limit.typed", message: "is required" }]);
});

test("after switching queries, values of parameters with the same name are kept", () => {
  const before = { country: { kind: "text" as const, typed: "DE" } };
  expect(parametersFor(["country", "constructor"], before)).toEqual({
    country: { kind: "text", typed: "DE" },
    constructor: { kind: "text", typed: "" },
  });
});

test("a new subscription needs only a query", () => {
  expect(problemsOf(emptySubscription())).toEqual([{ path: "queryId", message: "is required" }]);
  expect(
    createSubscriptionInput.safeParse(subscriptionInputOf(emptySubscription({ queryId: 1 }))).success,
  ).toBe(true);
});

test.each([
  [{ condition: { kind: "RowCountAbove", threshold: "" } }, "condition.threshold", /required/],
  [{ condition: { kind: "RowCountBelow", threshold: "0" } }, "condition.threshold", /at least 1/],
  [{ condition: { kind: "RowCountAbove", threshold: "1.5" } }, "condition.threshold", /whole number/],
  [{ condition: { kind: "RowCountAbove", threshold: "many" } }, "condition.threshold", /number/],
  [{ timeoutSeconds: "0" }, "timeoutSeconds", /at least 1/],
  [{ timeoutSeconds: "" }, "timeoutSeconds", /required/],
  [{ timeoutSeconds: "1801" }, "timeoutSeconds", /at most 1800/],
  [{ cronExpression: "0 0 30 2 *" }, "cronExpression", /never comes/],
  [{ cronExpression: "0 0 6 * * *" }, "cronExpression", /five fields/],
  [{ timezone: "Europe/Atlantis" }, "timezone", /not an IANA time zone/],
  [{ parameters: { days: { kind: "number", typed: "three" } } }, "parameters.days.typed", /must be a number/],
  [{ parameters: { paid: { kind: "boolean", typed: "" } } }, "parameters.paid.typed", /required/],
] as const)("%o is refused at %s", (given, path, message) => {
  const problems = problemsOf(emptySubscription({ queryId: 1, ...given }));
  expect(problems).toEqual([{ path, message: expect.stringMatching(message) }]);
});

test("the sensitivity is validated only if anomaly detection is on", () => {
  const detection = { ...emptySubscription().anomalyDetection, sensitivity: "lots" };
  const form = (enabled: boolean) =>
    emptySubscription({ queryId: 1, anomalyDetection: { ...detection, enabled } });
  expect(problemsOf(form(false))).toEqual([]);
  expect(problemsOf(form(true))).toEqual([
    { path: "anomalyDetection.sensitivity", message: "must be a number" },
  ]);
});

test("server errors about a parameter appear on its field", () => {
  expect(formPath("parameters.country")).toBe("parameters.country.typed");
  expect(formPath("condition.threshold")).toBe("condition.threshold");
});
