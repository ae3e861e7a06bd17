import type { Metadata } from "next";
import type { SearchParams } from "nuqs/server";
import { DataSourcesTable } from "@/components/data-sources/data-sources-table.tsx";
import { loadSourceFilters, sourcesInput } from "@/components/data-sources/list-input.ts";
import { inProject, loadProject } from "@/components/projects/project-filter.ts";
import { api, HydrateClient } from "@/components/trpc/server.tsx";

export const metadata: Metadata = { title: "Data sources" };

export default async function DataSourcesPage({ searchParams }: { searchParams: Promise<SearchParams> }) {
  const [{ project }, filters] = await Promise.all([
    loadProject(searchParams),
    loadSourceFilters(searchParams),
  ]);
  await api.dataSources.page.prefetch(sourcesInput(inProject(project), filters));
  return (
    <HydrateClient>
      <DataSourcesTable />
    </HydrateClient>
  );
}
