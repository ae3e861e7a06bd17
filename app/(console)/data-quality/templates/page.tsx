import type { Metadata } from "next";
import type { SearchParams } from "nuqs/server";
import { TemplateList } from "@/components/data-quality/template-list.tsx";
import { inProject, loadProject } from "@/components/projects/project-filter.ts";
import { api, HydrateClient } from "@/components/trpc/server.tsx";

export const metadata: Metadata = { title: "Rule templates" };

export default async function TemplatesPage({ searchParams }: { searchParams: Promise<SearchParams> }) {
  const { project } = await loadProject(searchParams);
  await api.dataQuality.templates.prefetch(inProject(project));
  return (
    <HydrateClient>
      <TemplateList />
    </HydrateClient>
  );
}
