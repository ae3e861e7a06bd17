import { createLoader, parseAsInteger, parseAsString, parseAsStringLiteral } from "nuqs/server";
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
  /** Counts from 1 in the URL. */
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
  const isQuery = query !== null && query >= 1 && query <= 2_147_483_647;
  const search = q.trim().slice(0, 200);
  return {
    ...inProject,
    ...(isQuery && { queryId: query }),
    ...(state !== null && filterOf[state]),
    ...(search !== "" && { search }),
    sortBy: sortStateOf[sort],
    sortDirection: direction === "asc" ? ("Asc" as const) : ("Desc" as const),
    page: Math.min(Math.max(page, 1), 1_000_000) - 1,
    pageSize: subscriptionPageSize,
  };
}
