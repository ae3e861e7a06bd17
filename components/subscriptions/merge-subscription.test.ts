import { expect, test } from "vitest";
import { mergeSubscriptions } from "./merge-subscription.ts";
import { emptySubscription, type SubscriptionForm } from "./subscription-form.ts";

const base = emptySubscription({
  queryId: 1,
  parameters: { country: { kind: "text", typed: "DE" }, days: { kind: "number", typed: "3" } },
  recipientIds: [1],
});
const conflictsIn = (mine: SubscriptionForm, theirs: SubscriptionForm) =>
  mergeSubscriptions({ base, mine, theirs }, {})
    .differences.filter(({ isConflict }) => isConflict)
    .map(({ path }) => path);

test("both people's changes are kept", () => {
  const mine = {
    ...base,
    timeoutSeconds: "120",
    parameters: { ...base.parameters, country: { kind: "text" as const, typed: "FR" } },
    recipientIds: [1, 2],
  };
  const theirs = {
    ...base,
    condition: { kind: "RowCountAbove" as const, threshold: "10" },
    parameters: { ...base.parameters, days: { kind: "number" as const, typed: "7" } },
    recipientIds: [],
    silencedUntil: "2999-01-01T00:00:00.000Z",
  };
  expect(mergeSubscriptions({ base, mine, theirs }, {}).value).toEqual({
    ...base,
    timeoutSeconds: "120",
    condition: { kind: "RowCountAbove", threshold: "10" },
    parameters: { country: { kind: "text", typed: "FR" }, days: { kind: "number", typed: "7" } },
    recipientIds: [2],
    silencedUntil: "2999-01-01T00:00:00.000Z",
  });
  expect(conflictsIn(mine, theirs)).toEqual([]);
});

test("a condition merges with its threshold, a sensitivity with its method", () => {
  const above = (threshold: string) => ({ kind: "RowCountAbove" as const, threshold });
  const detection = (more: object) => ({ ...base.anomalyDetection, ...more });
  const mine = {
    ...base,
    condition: above("10"),
    anomalyDetection: detection({ method: "Iqr", sensitivity: "1.5" }),
  };
  const theirs = { ...base, condition: above("20"), anomalyDetection: detection({ sensitivity: "3" }) };
  expect(conflictsIn(mine, theirs)).toEqual(["condition", "anomalyDetection"]);
  const { value } = mergeSubscriptions({ base, mine, theirs }, { condition: "theirs" });
  expect(value).toEqual({ ...mine, condition: above("20") });
});
