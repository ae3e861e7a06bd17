import type { HubEvent, HubEventName } from "@/server/realtime/events.ts";
import type { Outputs } from "../trpc/client.tsx";

/** Parts of the cache, by router. */
type Part = keyof Outputs;

const changedByRun = {
  Execution: ["controlTower", "subscriptions", "tasks", "anomalies"],
  Evaluation: ["dataQuality"],
  Scan: ["findings"],
} as const;

/** The parts of the cache an event makes outdated; defined only here. */
export function changedBy(event: HubEvent): readonly Part[] {
  switch (event.name) {
    case "ApprovalUpdated":
      return ["approvals", "queries"];
    case "PlanUpdated":
      // The results of its actions exist only once they have run.
      return event.data.status === "Executed" || event.data.status === "Rejected"
        ? ["actors", "queries", "subscriptions", "controlTower"]
        : ["actors"];
    case "JobStatusChanged":
      return changedByRun[event.data.kind];
    case "NotificationCreated":
      return ["notifications"];
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
