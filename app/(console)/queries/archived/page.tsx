import type { Metadata } from "next";
import type { SearchParams } from "nuqs/server";
import { archiveInput, loadArchiveFilters } from "@/components/projects/archive-input.ts";
import { inProject, loadProject } from "@/components/projects/project-filter.ts";
import { ArchivedQueries } from "@/components/queries/archived-queries.tsx";
import { ForPermission } from "@/components/shell/for-permission.tsx";
import { api, HydrateClient } from "@/components/trpc/server.tsx";

export const metadata: Metadata = { title: "Archived queries" };

export default async function ArchivedQueriesPage({ searchParams }: { searchParams: Promise<SearchParams> }) {
  const [{ project }, filters] = await Promise.all([
    loadProject(searchParams),
    loadArchiveFilters(searchParams),
  ]);
  await api.queries.archived.prefetch(archiveInput(inProject(project), filters));
  return (
    <HydrateClient>
      <ForPermission title="Archived queries" permission="archive:manage">
        <ArchivedQueries />
      </ForPermission>
    </HydrateClient>
  );
}
