import type { Metadata } from "next";
import type { SearchParams } from "nuqs/server";
import { DataSourcesTable } from "@/components/data-sources/data-sources-table.tsx";
import { inProject, loadProject } from "@/components/projects/project-filter.ts";
import { api, HydrateClient } from "@/components/trpc/server.tsx";

export const metadata: Metadata = { title: "Data sources" };

export default async function DataSourcesPage({ searchParams }: { searchParams: Promise<SearchParams> }) {
  const input = inProject((await loadProject(searchParams)).project);
  await Promise.all([api.dataSources.list.prefetch(input), api.dataQuality.overview.prefetch(input)]);
  return (
    <HydrateClient>
      <DataSourcesTable />
    </HydrateClient>
  );
}
