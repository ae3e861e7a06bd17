import type { HubEvent, HubEventName } from "@/server/realtime/events.ts";
import type { Outputs } from "../trpc/client.tsx";

/** Parts of the cache, by their routers. */
type Part = keyof Outputs;

/** What is no longer true when an event has come: the one place that says so. */
export function changedBy(event: HubEvent): readonly Part[] {
  switch (event.name) {
    case "ApprovalUpdated":
      return ["approvals", "queries"];
    case "PlanUpdated":
      // What its actions have made is there, or changed, once they have run.
      return event.data.status === "Executed" || event.data.status === "Rejected"
        ? ["actors", "queries", "subscriptions", "controlTower"]
        : ["actors"];
    case "JobStatusChanged":
      return event.data.kind === "Execution"
        ? ["controlTower", "subscriptions", "tasks", "anomalies"]
        : ["dataQuality"];
    case "NotificationCreated":
      return ["notifications"];
  }
}

/** People wait for these, so what was missed while the page was loaded is asked for at once. */
export const awaited: readonly Part[] = ["approvals", "actors"];

export const eventNames: readonly HubEventName[] = [
  "ApprovalUpdated",
  "PlanUpdated",
  "JobStatusChanged",
  "NotificationCreated",
];
