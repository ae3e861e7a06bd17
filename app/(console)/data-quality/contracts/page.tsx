import type { Metadata } from "next";
import type { SearchParams } from "nuqs/server";
import { ContractList } from "@/components/data-quality/contract-list.tsx";
import { inProject, loadProject } from "@/components/projects/project-filter.ts";
import { api, HydrateClient } from "@/components/trpc/server.tsx";

export const metadata: Metadata = { title: "Contracts" };

export default async function ContractsPage({ searchParams }: { searchParams: Promise<SearchParams> }) {
  const { project } = await loadProject(searchParams);
  await api.dataQuality.contracts.prefetch(inProject(project));
  return (
    <HydrateClient>
      <ContractList />
    </HydrateClient>
  );
}
