import type { Metadata } from "next";
import type { SearchParams } from "nuqs/server";
import { WindowsPage } from "@/components/maintenance/windows-page.tsx";
import { inProject, loadProject } from "@/components/projects/project-filter.ts";
import { api, HydrateClient } from "@/components/trpc/server.tsx";

export const metadata: Metadata = { title: "Maintenance" };

export default async function Page({ searchParams }: { searchParams: Promise<SearchParams> }) {
  const { project } = await loadProject(searchParams);
  await api.maintenance.list.prefetch(inProject(project));
  return (
    <HydrateClient>
      <WindowsPage />
    </HydrateClient>
  );
}
