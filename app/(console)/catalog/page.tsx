import type { Metadata } from "next";
import type { SearchParams } from "nuqs/server";
import { catalogInput, loadCatalogFilters } from "@/components/catalog/catalog-filter.ts";
import { CatalogPage } from "@/components/catalog/catalog-page.tsx";
import { inProject, loadProject } from "@/components/projects/project-filter.ts";
import { api, HydrateClient } from "@/components/trpc/server.tsx";

export const metadata: Metadata = { title: "Catalog" };

export default async function AllTablesPage({ searchParams }: { searchParams: Promise<SearchParams> }) {
  const [{ project }, filters] = await Promise.all([
    loadProject(searchParams),
    loadCatalogFilters(searchParams),
  ]);
  await Promise.all([
    api.catalog.sources.prefetch(inProject(project)),
    api.catalog.tables.prefetch(catalogInput(inProject(project), filters)),
  ]);
  return (
    <HydrateClient>
      <CatalogPage />
    </HydrateClient>
  );
}
