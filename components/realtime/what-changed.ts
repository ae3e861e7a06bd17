import type { HubEvent, HubEventName } from "@/server/realtime/events.ts";
import type { Outputs } from "../trpc/client.tsx";

/** Parts of the cache, by router. */
type Part = keyof Outputs;

const changedByRun = {
  Execution: ["needsAttention", "controlTower", "subscriptions", "tasks", "anomalies"],
  Evaluation: ["needsAttention", "dataQuality"],
  Scan: ["needsAttention", "findings"],
} as const;

/** The parts of the cache an event makes outdated; defined only here. */
export function changedBy(event: HubEvent): readonly Part[] {
  switch (event.name) {
    case "ApprovalUpdated":
      return ["needsAttention", "approvals", "queries"];
    case "PlanUpdated":
      // The results of its actions exist only once they have run.
      return event.data.status === "Executed" || event.data.status === "Rejected"
        ? ["needsAttention", "actors", "queries", "subscriptions", "controlTower"]
        : ["needsAttention", "actors"];
    case "JobStatusChanged":
      return changedByRun[event.data.kind];
    case "NotificationCreated":
      return ["needsAttention", "notifications"];
  }
}

/** People wait for these, so refetch them at once if events were missed during page load. */
export const awaited: readonly Part[] = ["approvals", "actors"];

export const eventNames: readonly HubEventName[] = [
  "ApprovalUpdated",
  "PlanUpdated",
  "JobStatusChanged",
  "NotificationCreated",
];
