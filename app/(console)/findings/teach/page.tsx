import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { createLoader, parseAsInteger, parseAsString, type SearchParams } from "nuqs/server";
import { TeachPage } from "@/components/findings/teach-page.tsx";
import { api, HydrateClient, orNotFound } from "@/components/trpc/server.tsx";

export const metadata: Metadata = { title: "Teach" };

const loadTable = createLoader({
  source: parseAsInteger.withDefault(0),
  schema: parseAsString.withDefault(""),
  table: parseAsString.withDefault(""),
});

export default async function Page({ searchParams }: { searchParams: Promise<SearchParams> }) {
  const { source, schema, table } = await loadTable(searchParams);
  if (source < 1 || source > 2_147_483_647 || table === "") notFound();
  const { name } = await orNotFound(() => api.dataSources.get({ id: source }));
  await api.findings.scans.prefetch({ dataSourceId: source });
  return (
    <HydrateClient>
      <TeachPage
        sourceName={name}
        table={{ dataSourceId: source, schemaName: schema.slice(0, 128), tableName: table.slice(0, 128) }}
      />
    </HydrateClient>
  );
}
