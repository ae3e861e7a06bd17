import type { Metadata } from "next";
import type { SearchParams } from "nuqs/server";
import { InProject } from "@/components/auth/in-project.tsx";
import { catalogInput, loadCatalogFilters } from "@/components/catalog/catalog-filter.ts";
import { SourcePage } from "@/components/catalog/source-page.tsx";
import { api, HydrateClient, orNotFound } from "@/components/trpc/server.tsx";

type Props = { params: Promise<{ dataSourceId: string }>; searchParams: Promise<SearchParams> };

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const id = Number((await params).dataSourceId);
  const { name } = await orNotFound(() => api.dataSources.get({ id }));
  return { title: `Catalog of ${name}` };
}

export default async function OneSourcePage({ params, searchParams }: Props) {
  const id = Number((await params).dataSourceId);
  const { projectId } = await orNotFound(() => api.dataSources.get({ id }));
  const filters = await loadCatalogFilters(searchParams);
  await Promise.all([
    api.dataSources.get.prefetch({ id }),
    api.catalog.sources.prefetch({}),
    api.catalog.tables.prefetch(catalogInput({ dataSourceId: id }, filters)),
  ]);
  return (
    <HydrateClient>
      <InProject id={projectId}>
        <SourcePage id={id} />
      </InProject>
    </HydrateClient>
  );
}
