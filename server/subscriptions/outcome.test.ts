import { expect, test } from "vitest";
import type { ExecutionStatus } from "./kinds.ts";
import { type Ended, outcomeOf } from "./outcome.ts";
import type { ConditionKind } from "./schema.ts";

const until = new Date("2026-11-22T14:00:00Z");

const ended = (status: ExecutionStatus, rowCount: number | null, more: Partial<Ended> = {}): Ended => ({
  ...{ status, rowCount, usualLow: null, silencedUntil: null },
  ...more,
});
const of = (
  execution: Ended,
  tally?: [recipients: number, sent: number, failed: number, retrying: number],
  condition: ConditionKind = "RowsFound",
  anomaly?: { isAcknowledged: boolean },
) => {
  const [recipients = 0, sent = 0, failed = 0, retrying = 0] = tally ?? [];
  return outcomeOf(execution, condition, anomaly, tally && { recipients, sent, failed, retrying });
};

test.each([
  ["all were told", [2, 2, 0, 0], { state: "Told", recipients: 2, sent: 2, failed: 0 }],
  ["some were", [3, 1, 0, 0], { state: "Sending", sent: 1 }],
  ["one failed for now", [2, 1, 0, 1], { state: "Retrying", sent: 1, failed: 1 }],
  ["one failed for good, another goes on", [3, 1, 1, 1], { state: "DeliveryFailed", sent: 1, failed: 2 }],
  ["all failed", [2, 0, 2, 0], { state: "DeliveryFailed", recipients: 2, sent: 0, failed: 2 }],
] as [string, [number, number, number, number], object][])("NotificationSent, and %s", (_, tally, told) => {
  expect(of(ended("NotificationSent", 22), tally)).toMatchObject({
    run: "Ran",
    found: { rowCount: 22, verdict: "Found", isUsual: null },
    told,
  });
});

test("NotificationSent without a recipient notified nobody", () => {
  expect(of(ended("NotificationSent", 22)).told).toEqual({
    ...{ state: "NobodyToTell", recipients: 0, sent: 0, failed: 0, silencedUntil: null },
  });
});

test("a silence has an end if one was stored", () => {
  const silenced = ended("NotificationSilenced", 22, { silencedUntil: until });
  expect(of(silenced).told).toMatchObject({ state: "Silenced", silencedUntil: until });
  expect(of(ended("NotificationSilenced", 22)).told).toMatchObject({
    state: "Silenced",
    silencedUntil: null,
  });
});

test.each([
  ["NoResults", 0, "RowsFound", "Nothing"],
  ["NoResults", 50, "RowCountBelow", "Nothing"],
  ["BelowThreshold", 4, "RowCountAbove", "BelowThreshold"],
  ["NotificationSent", 0, "RowCountBelow", "Found"],
  ["NotificationSent", 0, "Always", "Report"],
  ["NotificationSilenced", 7, "Always", "Report"],
] as const)("%s of %i rows under %s is %s", (status, rowCount, condition, verdict) => {
  const outcome = of(ended(status, rowCount), undefined, condition);
  expect(outcome).toMatchObject({ run: "Ran", found: { rowCount, verdict } });
  if (status !== "NotificationSent" && status !== "NotificationSilenced")
    expect(outcome.told.state).toBe("NothingToTell");
});

test.each([
  ["Created", "Running"],
  ["Failed", "CouldNotRun"],
  ["Timeout", "TimedOut"],
] as const)("%s has found nothing that could be said: %s", (status, run) => {
  expect(of(ended(status, null))).toMatchObject({ run, found: null, told: { state: "NothingToTell" } });
});

test("a result is normal if detection judged it so, unusual if it found an anomaly", () => {
  expect(of(ended("NoResults", 0)).found?.isUsual).toBeNull();
  expect(of(ended("NoResults", 0, { usualLow: 0 })).found?.isUsual).toBe(true);
  const unusual = of(ended("NoResults", 0, { usualLow: 9 }), undefined, "RowsFound", {
    isAcknowledged: true,
  });
  expect(unusual).toMatchObject({ found: { verdict: "Nothing", isUsual: false, isAcknowledged: true } });
});

test("an unusual result that would not otherwise be reported is reported", () => {
  const unusual = (more: Partial<Ended>, tally?: [number, number, number, number]) =>
    of(ended("NoResults", 0, more), tally, "RowsFound", { isAcknowledged: false }).told.state;
  expect(unusual({}, [1, 1, 0, 0])).toBe("Told");
  expect(unusual({})).toBe("NobodyToTell");
  expect(unusual({ silencedUntil: until })).toBe("Silenced");
});
