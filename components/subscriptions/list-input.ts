import { createLoader, parseAsInteger, parseAsString, parseAsStringLiteral } from "nuqs/server";
import { directionInput, isId, pageInput, pageParameter, searchInput } from "@/components/ui/list-input.ts";
import type { SubscriptionSort } from "@/server/subscriptions/schema.ts";

/** Filters of the subscription list, in the URL, and the input they produce. */

export const subscriptionPageSize = 50;

const states = ["incident", "enabled", "disabled", "silenced"] as const;
export type SubscriptionState = (typeof states)[number];

const orders = ["attention", "name", "last", "next"] as const;
export type SubscriptionOrder = (typeof orders)[number];

export const subscriptionParameters = {
  query: parseAsInteger,
  state: parseAsStringLiteral(states),
  q: parseAsString.withDefault(""),
  sort: parseAsStringLiteral(orders).withDefault("attention"),
  direction: parseAsStringLiteral(["asc", "desc"]).withDefault("asc"),
  ...pageParameter,
};

export const loadSubscriptionFilters = createLoader(subscriptionParameters);

type Filters = Awaited<ReturnType<typeof loadSubscriptionFilters>>;

const filterOf: Record<SubscriptionState, object> = {
  incident: { hasIncident: true },
  enabled: { enabled: true },
  disabled: { enabled: false },
  silenced: { silenced: true },
};

const sortStateOf: Record<SubscriptionOrder, SubscriptionSort> = {
  attention: "Attention",
  name: "Name",
  last: "LastExecution",
  next: "NextRun",
};

/** The list procedure's input; invalid values in the URL are ignored. A prefetch must use the same. */
export function subscriptionListInput(
  inProject: { projectId?: number },
  { query, state, q, sort, direction, page }: Filters,
) {
  return {
    ...inProject,
    ...(isId(query) && { queryId: query }),
    ...(state !== null && filterOf[state]),
    ...searchInput(q),
    sortBy: sortStateOf[sort],
    ...directionInput(direction),
    ...pageInput(page, subscriptionPageSize),
  };
}
