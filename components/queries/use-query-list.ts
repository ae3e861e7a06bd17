"use client";
import { useProjectInput } from "@/components/projects/use-project.ts";
import { trpc } from "@/components/trpc/client.tsx";
import { useListFilters } from "@/components/ui/use-list-filters.ts";
import { queryListInput, queryParameters } from "./query-filter.ts";

/** A page of queries matching the filters in the URL. */
export function useQueryList() {
  const project = useProjectInput();
  const list = useListFilters(queryParameters, (filters) => queryListInput(project, filters));
  const [page] = trpc.queries.list.useSuspenseQuery(list.input, { refetchInterval: 30_000 });
  return { list, page };
}
