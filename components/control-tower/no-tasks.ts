import { lookNameOf } from "@/components/subscriptions/outcome-looks.ts";
import type { HealthStatus, SubscriptionDetail } from "@/server/control-tower/schema.ts";

/** What a subscription without open tasks still needs, and what to do next. Pure. */
export type NoTasks = {
  words: string;
  next: "query" | "subscription" | "deliveries" | null;
};

export function noTasks(
  status: HealthStatus | undefined,
  executions: SubscriptionDetail["executions"],
  { createTasks, enabled }: { createTasks: boolean; enabled: boolean },
): NoTasks {
  const [latest] = executions;
  const name = latest && lookNameOf(latest.outcome);
  const isIll = status === "Red" || status === "Amber";
  if (name === "failed" || name === "timedOut")
    return {
      words: `${name === "failed" ? "The last run could not run" : "The last run timed out"}, and failures open no tasks. Fix the cause shown above, then run it again.`,
      next: "query",
    };
  if (name === "below")
    return {
      words:
        "The last run found rows, but not more than the threshold. That counts as not successful and opens no task. If that many rows are fine, filter them out in the query.",
      next: "query",
    };
  if (name === "undelivered")
    return {
      words: "The last run notified, but a message did not arrive. Check the deliveries.",
      next: "deliveries",
    };
  if (name === "running") return { words: "A run is in progress.", next: null };
  if (isIll)
    return {
      words: "The last run succeeded. Earlier runs in this window did not; see the list above.",
      next: null,
    };
  if (status === "Stalled")
    return enabled
      ? { words: "No runs in this window. Run it now, or check its schedule.", next: "subscription" }
      : { words: "No runs in this window: its schedule is off.", next: "subscription" };
  return { words: createTasks ? "" : "This subscription opens none.", next: null };
}
