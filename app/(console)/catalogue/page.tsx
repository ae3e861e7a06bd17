import type { Metadata } from "next";
import type { SearchParams } from "nuqs/server";
import { catalogueInput, loadCatalogueFilters } from "@/components/catalogue/catalogue-filter.ts";
import { CataloguePage } from "@/components/catalogue/catalogue-page.tsx";
import { inProject, loadProject } from "@/components/projects/project-filter.ts";
import { api, HydrateClient } from "@/components/trpc/server.tsx";

export const metadata: Metadata = { title: "Catalogue" };

export default async function AllTablesPage({ searchParams }: { searchParams: Promise<SearchParams> }) {
  const [{ project }, filters] = await Promise.all([
    loadProject(searchParams),
    loadCatalogueFilters(searchParams),
  ]);
  await Promise.all([
    api.catalog.sources.prefetch(inProject(project)),
    api.catalog.tables.prefetch(catalogueInput(inProject(project), filters)),
  ]);
  return (
    <HydrateClient>
      <CataloguePage />
    </HydrateClient>
  );
}
