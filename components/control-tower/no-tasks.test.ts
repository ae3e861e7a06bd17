import { expect, test } from "vitest";
import type { SubscriptionDetail } from "@/server/control-tower/schema.ts";
import type { Outcome } from "@/server/subscriptions/schema.ts";
import { noTasks } from "./no-tasks.ts";

const told = { state: "NothingToTell", recipients: 0, sent: 0, failed: 0, silencedUntil: null } as const;
const run = (outcome: Partial<Outcome>): SubscriptionDetail["executions"] => [
  {
    ...{ id: 1, status: "Failed", executedAt: "2026-11-20T10:00:00.000Z", rowCount: null },
    ...{ executionTimeMs: null, errorMessage: null },
    outcome: { run: "Ran", found: null, told, ...outcome },
  },
];
const found = (verdict: "Found" | "BelowThreshold" | "Nothing", rowCount: number) => ({
  ...{ rowCount, verdict, isUsual: null, isAcknowledged: false },
});
const opens = { createTasks: true, enabled: true };

test("a Critical subscription without tasks says why, and what to do", () => {
  const failed = noTasks("Red", run({ run: "CouldNotRun" }), opens);
  expect(failed.words).toMatch(/^The last run could not run, .* Fix the cause/);
  expect(failed.next).toBe("query");
  expect(noTasks("Red", run({ run: "TimedOut" }), opens).words).toMatch(/timed out/);
  expect(noTasks("Red", run({ found: found("BelowThreshold", 4) }), opens).words).toMatch(/threshold/);
  expect(noTasks("Red", run({ found: found("Nothing", 0) }), opens).words).toMatch(/Earlier runs/);
  // The first run counts as unsuccessful until it has finished.
  expect(noTasks("Red", run({ run: "Running" }), opens).words).toBe("A run is in progress.");
});

test("a failed delivery needs attention, however healthy the subscription is", () => {
  const lost = run({
    found: found("Found", 22),
    told: { ...told, state: "DeliveryFailed", recipients: 1, failed: 1 },
  });
  expect(noTasks("Green", lost, opens)).toMatchObject({ next: "deliveries" });
});

test("only if everything is fine is there nothing to add", () => {
  const fine = run({ found: found("Nothing", 0) });
  expect(noTasks("Green", fine, opens)).toEqual({ words: "", next: null });
  expect(noTasks("Green", fine, { ...opens, createTasks: false }).words).toBe(
    "This subscription opens none.",
  );
  expect(noTasks("Stalled", [], { ...opens, enabled: false }).words).toMatch(/schedule is off/);
});
