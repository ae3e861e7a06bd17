import type { Metadata } from "next";
import { InProject } from "@/components/auth/in-project.tsx";
import { countedContracts } from "@/components/data-sources/contract-count.ts";
import { DataSourcePage } from "@/components/data-sources/data-source-page.tsx";
import { api, HydrateClient, orNotFound } from "@/components/trpc/server.tsx";
import { isDatabaseKind } from "@/server/data-sources/kinds.ts";

type Props = { params: Promise<{ id: string }> };

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const id = Number((await params).id);
  return { title: (await orNotFound(() => api.dataSources.get({ id }))).name };
}

export default async function OneDataSourcePage({ params }: Props) {
  const id = Number((await params).id);
  const { kind, projectId } = await orNotFound(() => api.dataSources.get({ id }));
  await Promise.all([
    ...(isDatabaseKind(kind) ? [api.watch.get.prefetch({ id })] : []),
    api.dataSources.get.prefetch({ id }),
    api.dataQuality.searchContracts.prefetch(countedContracts(id)),
  ]);
  return (
    <HydrateClient>
      <InProject id={projectId}>
        <DataSourcePage id={id} />
      </InProject>
    </HydrateClient>
  );
}
