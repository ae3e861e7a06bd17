"use client";
import { useQueryStates } from "nuqs";
import { useCallback, useDeferredValue, useMemo } from "react";
import { useProjectInput } from "@/components/projects/use-project.ts";
import { trpc } from "@/components/trpc/client.tsx";
import { usePaused } from "@/components/ui/use-paused.ts";
import { queryListInput, queryParameters } from "./query-filter.ts";

/** A page of the queries by what the address asks for. While another one is on its way the rows stay. */
export function useQueryList() {
  const project = useProjectInput();
  const [filters, set] = useQueryStates(queryParameters, { clearOnDefault: true });
  const search = usePaused(filters.q);
  const asked = JSON.stringify(queryListInput(project, { ...filters, q: search }));
  const settled = useDeferredValue(asked);
  const input = useMemo(() => JSON.parse(settled) as ReturnType<typeof queryListInput>, [settled]);
  const [page] = trpc.queries.list.useSuspenseQuery(input, { refetchInterval: 30_000 });
  return {
    page,
    filters,
    isFiltered: filters.q.trim() !== "" || filters.folder !== null,
    isChanging: asked !== settled || search !== filters.q,
    setSearch: (q: string) => void set({ q, page: null }),
    setFolder: useCallback((folder: number | null) => void set({ folder, page: null }), [set]),
    setPage: useCallback((next: number) => void set({ page: next + 1 }), [set]),
    showAll: () => void set({ q: null, folder: null, page: null }),
  };
}
