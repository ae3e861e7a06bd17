"use client";
import { useQueryStates } from "nuqs";
import { useCallback, useDeferredValue, useMemo } from "react";
import { useProjectInput } from "@/components/projects/use-project.ts";
import { trpc } from "@/components/trpc/client.tsx";
import type { Sort } from "@/components/ui/table.tsx";
import { usePaused } from "@/components/ui/use-paused.ts";
import { type SubscriptionOrder, subscriptionListInput, subscriptionParameters } from "./list-input.ts";
import { isUnderWay } from "./outcome-looks.ts";

/** A page of the subscriptions by what the address asks for. While another one is on its way the rows stay. */
export function useSubscriptionList() {
  const project = useProjectInput();
  const [filters, setFilters] = useQueryStates(subscriptionParameters, { clearOnDefault: true });
  const search = usePaused(filters.q);
  const asked = JSON.stringify(subscriptionListInput(project, { ...filters, q: search }));
  const settled = useDeferredValue(asked);
  const input = useMemo(() => JSON.parse(settled) as ReturnType<typeof subscriptionListInput>, [settled]);
  const [page] = trpc.subscriptions.list.useSuspenseQuery(input, {
    refetchInterval: ({ state: { data } }) =>
      data?.items.some(({ lastExecution }) => lastExecution && isUnderWay(lastExecution.outcome))
        ? 2_000
        : 30_000,
  });
  /** Other filters begin at the first page. */
  const set = (change: Parameters<typeof setFilters>[0] & object) =>
    void setFilters({ page: null, ...change });
  const sortBy = (order: SubscriptionOrder, first: "asc" | "desc" = "asc"): Sort => ({
    direction: filters.sort === order ? filters.direction : null,
    onSort: () => {
      const other = filters.direction === "asc" ? "desc" : "asc";
      set({ sort: order, direction: filters.sort === order ? other : first });
    },
  });
  return {
    page,
    filters,
    isFiltered: filters.query !== null || filters.state !== null || filters.q.trim() !== "",
    isChanging: asked !== settled || search !== filters.q,
    set,
    setPage: useCallback((next: number) => void setFilters({ page: next + 1 }), [setFilters]),
    sortBy,
  };
}

export type SubscriptionList = ReturnType<typeof useSubscriptionList>;
