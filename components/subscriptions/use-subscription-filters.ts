"use client";
import { parseAsInteger, parseAsString, parseAsStringLiteral, useQueryStates } from "nuqs";
import type { Sort } from "@/components/ui/table.tsx";
import { type SubscriptionOrder, subscriptionOrders, subscriptionStates } from "./subscription-rows.ts";

const parameters = {
  query: parseAsInteger,
  state: parseAsStringLiteral(subscriptionStates),
  q: parseAsString.withDefault(""),
  sort: parseAsStringLiteral(subscriptionOrders).withDefault("attention"),
  direction: parseAsStringLiteral(["asc", "desc"]).withDefault("asc"),
  page: parseAsInteger.withDefault(1),
};

/** What the list of subscriptions shows, kept in the address. */
export function useSubscriptionFilters() {
  const [state, setState] = useQueryStates(parameters, { clearOnDefault: true });
  /** Other filters begin at the first page. */
  const set = (change: Parameters<typeof setState>[0] & object) => void setState({ page: null, ...change });
  const sortBy = (order: SubscriptionOrder, first: "asc" | "desc" = "asc"): Sort => ({
    direction: state.sort === order ? state.direction : null,
    onSort: () => {
      const other = state.direction === "asc" ? "desc" : "asc";
      void setState({ sort: order, direction: state.sort === order ? other : first });
    },
  });
  return { ...state, set, setPage: (page: number) => void setState({ page }), sortBy };
}

export type SubscriptionFilters = ReturnType<typeof useSubscriptionFilters>;
