import type { Metadata } from "next";
import { createLoader, parseAsInteger, parseAsString, type SearchParams } from "nuqs/server";
import { NewContract } from "@/components/data-quality/new-contract.tsx";
import { inProject, loadProject } from "@/components/projects/project-filter.ts";
import { api, HydrateClient } from "@/components/trpc/server.tsx";

export const metadata: Metadata = { title: "New contract" };

/** What another page already knows: `?source=1&schema=public&table=flights`. */
const loadTarget = createLoader({
  source: parseAsInteger,
  schema: parseAsString.withDefault(""),
  table: parseAsString.withDefault(""),
});

export default async function NewContractPage({ searchParams }: { searchParams: Promise<SearchParams> }) {
  const [{ project }, { source, schema, table }] = await Promise.all([
    loadProject(searchParams),
    loadTarget(searchParams),
  ]);
  await api.dataSources.list.prefetch(inProject(project));
  return (
    <HydrateClient>
      <NewContract start={{ dataSourceId: source, schemaName: schema, tableName: table }} />
    </HydrateClient>
  );
}
