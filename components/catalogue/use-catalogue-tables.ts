"use client";
import { useQueryStates } from "nuqs";
import { useDeferredValue, useMemo } from "react";
import { useProjectInput } from "@/components/projects/use-project.ts";
import { trpc } from "@/components/trpc/client.tsx";
import type { Sort } from "@/components/ui/table.tsx";
import { usePaused } from "@/components/ui/use-paused.ts";
import type { TableOrder } from "@/server/catalog/schema.ts";
import { catalogueInput, catalogueParameters } from "./catalogue-filter.ts";

/** A page of tables by what the address asks for, of all data sources or of one. The rows stay while others come. */
export function useCatalogueTables(dataSourceId?: number) {
  const project = useProjectInput();
  const [filters, set] = useQueryStates(catalogueParameters, { clearOnDefault: true });
  const search = usePaused(filters.q);
  const scope = dataSourceId === undefined ? project : { dataSourceId };
  const asked = JSON.stringify(catalogueInput(scope, { ...filters, q: search }));
  const settled = useDeferredValue(asked);
  const input = useMemo(() => JSON.parse(settled) as ReturnType<typeof catalogueInput>, [settled]);
  const [page] = trpc.catalog.tables.useSuspenseQuery(input, { refetchInterval: 60_000 });
  const { q, source, schema, kind, documented, watched } = filters;
  return {
    page,
    filters,
    isFiltered: q.trim() !== "" || [source, schema, kind, documented, watched].some((each) => each !== null),
    isChanging: asked !== settled || search !== q,
    /** Another choice begins on the first page. */
    choose: (some: Parameters<typeof set>[0] & object) => void set({ ...some, page: null }),
    setPage: (next: number) => void set({ page: next + 1 }),
    showAll: () =>
      void set({
        ...{ q: null, source: null, schema: null, kind: null, documented: null, watched: null, page: null },
      }),
    sortBy: (order: TableOrder): Sort => ({
      direction: filters.sort === order ? filters.direction : null,
      onSort: () =>
        void set({
          sort: order,
          // Names begin with A, numbers with the most; scores with the worst.
          direction:
            filters.sort === order
              ? filters.direction === "asc"
                ? "desc"
                : "asc"
              : order === "rows" || order === "contracts"
                ? "desc"
                : "asc",
          page: null,
        }),
    }),
  };
}

export type CatalogueTables = ReturnType<typeof useCatalogueTables>;
