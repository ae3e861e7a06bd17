import type { Metadata } from "next";
import type { SearchParams } from "nuqs/server";
import { PoliciesPage } from "@/components/incidents/policies-page.tsx";
import { loadPolicyFilters, policiesInput } from "@/components/incidents/policy-list-input.ts";
import { inProject, loadProject } from "@/components/projects/project-filter.ts";
import { api, HydrateClient } from "@/components/trpc/server.tsx";

export const metadata: Metadata = { title: "Incident policies" };

export default async function Page({ searchParams }: { searchParams: Promise<SearchParams> }) {
  const [{ project }, filters] = await Promise.all([
    loadProject(searchParams),
    loadPolicyFilters(searchParams),
  ]);
  await api.incidents.policiesPage.prefetch(policiesInput(inProject(project), filters));
  return (
    <HydrateClient>
      <PoliciesPage />
    </HydrateClient>
  );
}
