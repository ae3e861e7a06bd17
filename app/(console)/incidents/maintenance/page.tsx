import type { Metadata } from "next";
import type { SearchParams } from "nuqs/server";
import { loadWindowFilters, windowsInput } from "@/components/maintenance/list-input.ts";
import { WindowsPage } from "@/components/maintenance/windows-page.tsx";
import { inProject, loadProject } from "@/components/projects/project-filter.ts";
import { api, HydrateClient } from "@/components/trpc/server.tsx";

export const metadata: Metadata = { title: "Maintenance" };

export default async function Page({ searchParams }: { searchParams: Promise<SearchParams> }) {
  const [{ project }, filters] = await Promise.all([
    loadProject(searchParams),
    loadWindowFilters(searchParams),
  ]);
  await api.maintenance.page.prefetch(windowsInput(inProject(project), filters));
  return (
    <HydrateClient>
      <WindowsPage />
    </HydrateClient>
  );
}
