import type { Metadata } from "next";
import { DataSourcePage } from "@/components/data-sources/data-source-page.tsx";
import { api, HydrateClient, orNotFound } from "@/components/trpc/server.tsx";

type Props = { params: Promise<{ id: string }> };

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const id = Number((await params).id);
  return { title: (await orNotFound(() => api.dataSources.get({ id }))).name };
}

export default async function OneDataSourcePage({ params }: Props) {
  const id = Number((await params).id);
  await orNotFound(() => api.dataSources.get({ id }));
  await Promise.all([api.dataSources.get.prefetch({ id }), api.dataQuality.overview.prefetch({})]);
  return (
    <HydrateClient>
      <DataSourcePage id={id} />
    </HydrateClient>
  );
}
