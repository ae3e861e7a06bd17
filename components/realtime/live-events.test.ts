import { expect, test } from "vitest";
import { hubEvents } from "@/server/realtime/events.ts";
import { pauseBefore } from "./live-events.ts";
import { changedBy, eventNames } from "./what-changed.ts";

test("reconnect delays grow to half a minute and differ between tabs", () => {
  expect([0, 1, 2, 3, 4, 50].map((attempt) => pauseBefore(attempt, 1))).toEqual([
    2_000, 4_000, 8_000, 16_000, 30_000, 30_000,
  ]);
  expect(pauseBefore(0, 0)).toBe(1_000);
});

test("listens to every event the service sends", () => {
  expect([...eventNames].sort()).toEqual(Object.keys(hubEvents).sort());
});

test("an event refetches what it changes", () => {
  const job = (kind: "Execution" | "Evaluation") =>
    changedBy({ name: "JobStatusChanged", data: { kind, id: 1, status: "x" } });
  expect(job("Execution")).toEqual([
    ...["needsAttention", "controlTower", "subscriptions", "tasks", "anomalies"],
  ]);
  expect(job("Evaluation")).toEqual(["needsAttention", "dataQuality"]);
  const approval = { name: "ApprovalUpdated", data: { approvalId: 1, status: "approved" } } as const;
  expect(changedBy(approval)).toContain("approvals");
});
