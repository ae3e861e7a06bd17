import type { Metadata } from "next";
import type { SearchParams } from "nuqs/server";
import { ImportContracts } from "@/components/data-quality/import-contracts.tsx";
import { inProject, loadProject } from "@/components/projects/project-filter.ts";
import { api, HydrateClient } from "@/components/trpc/server.tsx";

export const metadata: Metadata = { title: "Import contracts" };

export default async function ImportContractsPage({ searchParams }: { searchParams: Promise<SearchParams> }) {
  const { project } = await loadProject(searchParams);
  await api.dataSources.list.prefetch(inProject(project));
  return (
    <HydrateClient>
      <ImportContracts />
    </HydrateClient>
  );
}
