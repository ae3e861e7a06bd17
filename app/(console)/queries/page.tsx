import type { Metadata } from "next";
import type { SearchParams } from "nuqs/server";
import { inProject, loadProject } from "@/components/projects/project-filter.ts";
import { loadQueryFilters, queryListInput } from "@/components/queries/query-filter.ts";
import { QueryList } from "@/components/queries/query-list.tsx";
import { api, HydrateClient } from "@/components/trpc/server.tsx";

export const metadata: Metadata = { title: "Queries" };

export default async function QueriesPage({ searchParams }: { searchParams: Promise<SearchParams> }) {
  const [{ project }, filters] = await Promise.all([
    loadProject(searchParams),
    loadQueryFilters(searchParams),
  ]);
  const input = inProject(project);
  await Promise.all([
    api.queries.list.prefetch(queryListInput(input, filters)),
    api.queries.folders.prefetch(input),
    api.dataSources.list.prefetch(input),
  ]);
  return (
    <HydrateClient>
      <QueryList />
    </HydrateClient>
  );
}
