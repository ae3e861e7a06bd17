import { holdsWords } from "@/components/ui/matching.ts";
import { type SortValue, sorted } from "@/components/ui/sorted.ts";
import type { Subscription } from "@/server/subscriptions/schema.ts";
import { isSilenced } from "./incident-words.ts";

/** The list of subscriptions: which are shown, in which order. Pure. */

export const subscriptionStates = ["incident", "enabled", "disabled", "silenced"] as const;
export type SubscriptionState = (typeof subscriptionStates)[number];

export const subscriptionOrders = ["attention", "name", "last", "next"] as const;
export type SubscriptionOrder = (typeof subscriptionOrders)[number];

export function isInState(subscription: Subscription, state: SubscriptionState, now: number | null): boolean {
  return {
    incident: subscription.incidents.length > 0,
    enabled: subscription.enabled,
    disabled: !subscription.enabled,
    silenced: isSilenced(subscription, now),
  }[state];
}

export function isFound({ queryName, parameters }: Subscription, search: string): boolean {
  return holdsWords(`${queryName} ${Object.values(parameters).join(" ")}`, search);
}

/** Those that cannot do their work first, then those whose last run failed, then the others; off ones last. */
function attentionRank({ incidents, lastExecution, enabled }: Subscription): number {
  if (incidents.length > 0) return 0;
  if (!enabled) return 3;
  return lastExecution?.status === "Failed" || lastExecution?.status === "Timeout" ? 1 : 2;
}

const sortValueOf: Record<SubscriptionOrder, (subscription: Subscription) => SortValue> = {
  attention: attentionRank,
  name: ({ queryName }) => queryName,
  last: ({ lastExecution }) => lastExecution?.executedAt,
  next: ({ nextRunAt }) => nextRunAt,
};

/** Ties are by name, then by age. */
export function inOrder(
  subscriptions: readonly Subscription[],
  order: SubscriptionOrder,
  direction: "asc" | "desc",
): Subscription[] {
  const byName = sorted(subscriptions, sortValueOf.name, "asc");
  return order === "name" && direction === "asc" ? byName : sorted(byName, sortValueOf[order], direction);
}
