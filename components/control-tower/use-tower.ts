"use client";
import { keepPreviousData } from "@tanstack/react-query";
import { useQueryStates } from "nuqs";
import { useCallback, useMemo, useState } from "react";
import { useProjectInput } from "@/components/projects/use-project.ts";
import { trpc } from "@/components/trpc/client.tsx";
import type { Sort } from "@/components/ui/table.tsx";
import { usePaused } from "@/components/ui/use-paused.ts";
import type { HealthStatus } from "@/server/control-tower/schema.ts";
import { isFiltered, sorts, type TowerSort, towerInputs, towerParameters } from "./tower-filter.ts";

/**
 * What Control Tower shows, by what its address asks for. Cards and rows are asked for at once, with the same filters.
 * What was shown last stays until there is something newer, also when that cannot be had.
 */
export function useTower() {
  const project = useProjectInput();
  const [filters, set] = useTowerFilters();
  const search = usePaused(filters.q);
  const inputs = useMemo(() => towerInputs(project, { ...filters, q: search }), [project, filters, search]);
  // Everything is asked for by one timer, so that cards and rows stay together.
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
    rows: useLast(health.data),
    statistics: useLast(statistics.data),
    notRunYet: notRunYet.data?.count ?? 0,
    /** The figures without the cards' own filters, while there are any. */
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
  /** Another filter begins at the first page, and is a step that one can go back from; typing and sorting are none. */
  const set = useCallback(
    (change: Parameters<typeof setFilters>[0] & object, history: "push" | "replace" = "push") =>
      void setFilters({ page: null, ...change }, { history }),
    [setFilters],
  );
  return [filters, set] as const;
}

/** The last value that was there. */
function useLast<Value>(value: Value | undefined): Value | undefined {
  const [last, setLast] = useState(value);
  if (value !== undefined && value !== last) setLast(value);
  return value ?? last;
}

/** A column's order: the first press sorts its own way round, the next ones turn it. */
export function sortOf({ filters, set }: Pick<Tower, "filters" | "set">, column: TowerSort): Sort {
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

/** A status of the cards: pressed again it shows all. */
export const toggled = (current: HealthStatus | null, pressed: HealthStatus): HealthStatus | null =>
  current === pressed ? null : pressed;
