import type { Metadata } from "next";
import type { SearchParams } from "nuqs/server";
import { catalogueInput, loadCatalogueFilters } from "@/components/catalogue/catalogue-filter.ts";
import { SourcePage } from "@/components/catalogue/source-page.tsx";
import { api, HydrateClient, orNotFound } from "@/components/trpc/server.tsx";

type Props = { params: Promise<{ dataSourceId: string }>; searchParams: Promise<SearchParams> };

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const id = Number((await params).dataSourceId);
  const { name } = await orNotFound(() => api.dataSources.get({ id }));
  return { title: `Catalogue of ${name}` };
}

export default async function OneSourcePage({ params, searchParams }: Props) {
  const id = Number((await params).dataSourceId);
  await orNotFound(() => api.dataSources.get({ id }));
  const filters = await loadCatalogueFilters(searchParams);
  await Promise.all([
    api.dataSources.get.prefetch({ id }),
    api.catalog.sources.prefetch({}),
    api.catalog.tables.prefetch(catalogueInput({ dataSourceId: id }, filters)),
  ]);
  return (
    <HydrateClient>
      <SourcePage id={id} />
    </HydrateClient>
  );
}
