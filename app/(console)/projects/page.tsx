import type { Metadata } from "next";
import type { SearchParams } from "nuqs/server";
import { loadProjectFilters } from "@/components/projects/list-input.ts";
import { ProjectsTable } from "@/components/projects/projects-table.tsx";
import { api, HydrateClient } from "@/components/trpc/server.tsx";
import { listInput } from "@/components/ui/list-input.ts";

export const metadata: Metadata = { title: "Projects" };

export default async function ProjectsPage({ searchParams }: { searchParams: Promise<SearchParams> }) {
  await api.projects.page.prefetch(listInput(await loadProjectFilters(searchParams)));
  return (
    <HydrateClient>
      <ProjectsTable />
    </HydrateClient>
  );
}
