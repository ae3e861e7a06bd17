import type { Metadata } from "next";
import type { SearchParams } from "nuqs/server";
import { ContractList } from "@/components/data-quality/contract-list.tsx";
import { contractListInput, loadContractFilters } from "@/components/data-quality/contract-list-input.ts";
import { inProject, loadProject } from "@/components/projects/project-filter.ts";
import { api, HydrateClient, isSignedIn } from "@/components/trpc/server.tsx";

export const metadata: Metadata = { title: "Contracts" };

export default async function ContractsPage({ searchParams }: { searchParams: Promise<SearchParams> }) {
  // The console layout redirects to the sign-in page.
  if (!(await isSignedIn())) return null;
  const [{ project }, filters, me] = await Promise.all([
    loadProject(searchParams),
    loadContractFilters(searchParams),
    api.session.me(),
  ]);
  const input = inProject(project);
  await Promise.all([
    api.dataQuality.searchContracts.prefetch(contractListInput(input, filters, me.user.id)),
    api.dataSources.list.prefetch(input),
  ]);
  return (
    <HydrateClient>
      <ContractList />
    </HydrateClient>
  );
}
