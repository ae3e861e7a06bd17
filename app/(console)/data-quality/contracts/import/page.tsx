import type { Metadata } from "next";
import type { SearchParams } from "nuqs/server";
import { ImportChecks } from "@/components/data-quality/import-checks.tsx";
import { inProject, loadProject } from "@/components/projects/project-filter.ts";
import { api, HydrateClient } from "@/components/trpc/server.tsx";

export const metadata: Metadata = { title: "Import checks" };

export default async function ImportChecksPage({ searchParams }: { searchParams: Promise<SearchParams> }) {
  const { project } = await loadProject(searchParams);
  await api.dataSources.list.prefetch(inProject(project));
  return (
    <HydrateClient>
      <ImportChecks />
    </HydrateClient>
  );
}
