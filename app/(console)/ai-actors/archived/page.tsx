import type { Metadata } from "next";
import type { SearchParams } from "nuqs/server";
import { ArchivedActors } from "@/components/actors/archived-actors.tsx";
import { archiveInput, loadArchiveFilters } from "@/components/projects/archive-input.ts";
import { inProject, loadProject } from "@/components/projects/project-filter.ts";
import { ForPermission } from "@/components/shell/for-permission.tsx";
import { api, HydrateClient } from "@/components/trpc/server.tsx";

export const metadata: Metadata = { title: "Archived AI actors" };

export default async function ArchivedActorsPage({ searchParams }: { searchParams: Promise<SearchParams> }) {
  const [{ project }, filters] = await Promise.all([
    loadProject(searchParams),
    loadArchiveFilters(searchParams),
  ]);
  await api.actors.archived.prefetch(archiveInput(inProject(project), filters));
  return (
    <HydrateClient>
      <ForPermission title="Archived actors" permission="archive:manage">
        <ArchivedActors />
      </ForPermission>
    </HydrateClient>
  );
}
