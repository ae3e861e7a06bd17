"use client";
import { keepPreviousData } from "@tanstack/react-query";
import { useQueryStates } from "nuqs";
import { useCallback, useMemo, useState } from "react";
import { useProjectInput } from "@/components/projects/use-project.ts";
import { trpc } from "@/components/trpc/client.tsx";
import type { Sort } from "@/components/ui/table.tsx";
import { useDebounced } from "@/components/ui/use-paused.ts";
import type { HealthStatus } from "@/server/control-tower/schema.ts";
import { isFiltered, sorts, type TowerSort, towerInputs, towerParameters } from "./tower-filter.ts";

/**
 * Control Tower's data, by the filters in the URL. Cards and rows load together with the same filters. The previous
 * data stays until newer data arrives, even if loading fails.
 */
export function useTower() {
  const project = useProjectInput();
  const [filters, set] = useTowerFilters();
  const search = useDebounced(filters.q);
  const inputs = useMemo(() => towerInputs(project, { ...filters, q: search }), [project, filters, search]);
  // One timer refreshes everything, so that cards and rows match.
  const health = trpc.controlTower.health.useQuery(inputs.health, { placeholderData: keepPreviousData });
  const statistics = trpc.controlTower.statistics.useQuery(inputs.statistics, {
    placeholderData: keepPreviousData,
  });
  const notRunYet = trpc.controlTower.notRunYet.useQuery(inputs.statistics, {
    placeholderData: keepPreviousData,
  });
  const isNarrowed = filters.status !== null || filters.tasks;
  const whole = trpc.controlTower.statistics.useQuery(inputs.whole, { enabled: isNarrowed });
  return {
    filters,
    set,
    isFiltered: isFiltered(filters),
    rows: useLastDefined(health.data),
    statistics: useLastDefined(statistics.data),
    notRunYet: notRunYet.data?.count ?? 0,
    /** The figures without the cards' own filters, if any are set. */
    whole: isNarrowed ? whole.data : undefined,
    isChanging: health.isPlaceholderData || search !== filters.q,
    isFetching: health.isFetching || statistics.isFetching,
    failure: health.error ?? statistics.error,
    updatedAt: health.dataUpdatedAt,
    askedAt: Math.max(health.dataUpdatedAt, health.errorUpdatedAt),
  };
}

export type Tower = ReturnType<typeof useTower>;

function useTowerFilters() {
  const [filters, setFilters] = useQueryStates(towerParameters, { clearOnDefault: true });
  /** All but a page turn goes back to the first page. Filters also add a history step; typing and sorting don't. */
  const set = useCallback(
    (change: Parameters<typeof setFilters>[0] & object, history: "push" | "replace" = "push") =>
      void setFilters({ page: null, ...change }, { history }),
    [setFilters],
  );
  return [filters, set] as const;
}

/** The last defined value. */
function useLastDefined<Value>(value: Value | undefined): Value | undefined {
  const [last, setLast] = useState(value);
  if (value !== undefined && value !== last) setLast(value);
  return value ?? last;
}

/** A column's order: the first click uses its default direction, further clicks reverse it. */
export function sortStateOf({ filters, set }: Pick<Tower, "filters" | "set">, column: TowerSort): Sort {
  const { natural } = sorts[column];
  const isCurrent = filters.sort === column;
  const direction = filters.direction ?? natural;
  const turned = direction === "asc" ? "desc" : "asc";
  return {
    direction: isCurrent ? direction : null,
    onSort: () =>
      set({ sort: column, direction: isCurrent && turned !== natural ? turned : null }, "replace"),
  };
}

/** Toggles a card's status filter. */
export const toggled = (current: HealthStatus | null, pressed: HealthStatus): HealthStatus | null =>
  current === pressed ? null : pressed;
