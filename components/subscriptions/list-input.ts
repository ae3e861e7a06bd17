import { createLoader, parseAsInteger, parseAsString, parseAsStringLiteral } from "nuqs/server";
import type { SubscriptionSort } from "@/server/subscriptions/schema.ts";

/** What the list of subscriptions shows, in the address, and what it asks the service for. */

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
  /** From 1, as people count. */
  page: parseAsInteger.withDefault(1),
};

export const loadSubscriptionFilters = createLoader(subscriptionParameters);

type Filters = Awaited<ReturnType<typeof loadSubscriptionFilters>>;

const filterOf: Record<SubscriptionState, object> = {
  incident: { hasIncident: true },
  enabled: { enabled: true },
  disabled: { enabled: false },
  silenced: { silenced: true },
};

const sortOf: Record<SubscriptionOrder, SubscriptionSort> = {
  attention: "Attention",
  name: "Name",
  last: "LastExecution",
  next: "NextRun",
};

/** As the service takes them; what an address says in error is left out. A prefetch must ask the same. */
export function subscriptionListInput(
  inProject: { projectId?: number },
  { query, state, q, sort, direction, page }: Filters,
) {
  const isQuery = query !== null && query >= 1 && query <= 2_147_483_647;
  const search = q.trim().slice(0, 200);
  return {
    ...inProject,
    ...(isQuery && { queryId: query }),
    ...(state !== null && filterOf[state]),
    ...(search !== "" && { search }),
    sortBy: sortOf[sort],
    sortDirection: direction === "asc" ? ("Asc" as const) : ("Desc" as const),
    page: Math.min(Math.max(page, 1), 1_000_000) - 1,
    pageSize: subscriptionPageSize,
  };
}
