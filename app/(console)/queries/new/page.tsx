import type { Metadata } from "next";
import { createLoader, parseAsInteger, parseAsString, type SearchParams } from "nuqs/server";
import { NewQuery } from "@/components/queries/new-query.tsx";
import { api, HydrateClient } from "@/components/trpc/server.tsx";

export const metadata: Metadata = { title: "New query" };

/** Where it begins: `?folder=3`, or with a look at a table, `?source=1&schema=public&table=flights`. */
const loadStart = createLoader({
  folder: parseAsInteger,
  source: parseAsInteger,
  schema: parseAsString.withDefault(""),
  table: parseAsString.withDefault(""),
});

export default async function NewQueryPage({ searchParams }: { searchParams: Promise<SearchParams> }) {
  const { folder, source, schema, table } = await loadStart(searchParams);
  await Promise.all([api.queries.folders.prefetch({}), api.dataSources.list.prefetch({})]);
  return (
    <HydrateClient>
      <NewQuery folderId={folder} about={source === null ? null : { source, schema, table }} />
    </HydrateClient>
  );
}
