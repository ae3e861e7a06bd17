import type { Metadata } from "next";
import type { SearchParams } from "nuqs/server";
import { PoliciesPage } from "@/components/incidents/policies-page.tsx";
import { inProject, loadProject } from "@/components/projects/project-filter.ts";
import { api, HydrateClient } from "@/components/trpc/server.tsx";

export const metadata: Metadata = { title: "Incident policies" };

export default async function Page({ searchParams }: { searchParams: Promise<SearchParams> }) {
  const { project } = await loadProject(searchParams);
  await api.incidents.policies.prefetch(inProject(project));
  return (
    <HydrateClient>
      <PoliciesPage />
    </HydrateClient>
  );
}
