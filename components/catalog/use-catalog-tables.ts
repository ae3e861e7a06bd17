"use client";
import { useProjectInput } from "@/components/projects/use-project.ts";
import { trpc } from "@/components/trpc/client.tsx";
import { useListFilters } from "@/components/ui/use-list-filters.ts";
import { catalogInput, catalogParameters } from "./catalog-filter.ts";

/** A page of tables by the filters in the URL, of all data sources or one. */
export function useCatalogTables(dataSourceId?: number) {
  const project = useProjectInput();
  const scope = dataSourceId === undefined ? project : { dataSourceId };
  const list = useListFilters(catalogParameters, (filters) => catalogInput(scope, filters));
  const [page] = trpc.catalog.tables.useSuspenseQuery(list.input, { refetchInterval: 60_000 });
  return { ...list, page };
}

export type CatalogTables = ReturnType<typeof useCatalogTables>;
