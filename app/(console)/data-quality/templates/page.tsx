import type { Metadata } from "next";
import type { SearchParams } from "nuqs/server";
import { TemplateList } from "@/components/data-quality/template-list.tsx";
import { loadTemplateFilters, templatesInput } from "@/components/data-quality/template-list-input.ts";
import { inProject, loadProject } from "@/components/projects/project-filter.ts";
import { api, HydrateClient } from "@/components/trpc/server.tsx";

export const metadata: Metadata = { title: "Rule templates" };

export default async function TemplatesPage({ searchParams }: { searchParams: Promise<SearchParams> }) {
  const [{ project }, filters] = await Promise.all([
    loadProject(searchParams),
    loadTemplateFilters(searchParams),
  ]);
  await api.dataQuality.templatesPage.prefetch(templatesInput(inProject(project), filters));
  return (
    <HydrateClient>
      <TemplateList />
    </HydrateClient>
  );
}
