import type { Metadata } from "next";
import type { SearchParams } from "nuqs/server";
import { findingListInput, loadFindingFilters } from "@/components/findings/finding-filter.ts";
import { FindingsPage } from "@/components/findings/findings-page.tsx";
import { inProject, loadProject } from "@/components/projects/project-filter.ts";
import { api, HydrateClient } from "@/components/trpc/server.tsx";

export const metadata: Metadata = { title: "Findings" };

export default async function Page({ searchParams }: { searchParams: Promise<SearchParams> }) {
  const [{ project }, filters] = await Promise.all([
    loadProject(searchParams),
    loadFindingFilters(searchParams),
  ]);
  const own = inProject(project);
  await Promise.all([
    api.findings.list.prefetch(findingListInput(own, filters)),
    api.findings.scans.prefetch(own),
    api.dataSources.list.prefetch(own),
  ]);
  return (
    <HydrateClient>
      <FindingsPage />
    </HydrateClient>
  );
}
