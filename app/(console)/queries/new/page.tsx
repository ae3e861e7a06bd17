import type { Metadata } from "next";
import { createLoader, parseAsInteger, parseAsString, type SearchParams } from "nuqs/server";
import { loadFinding } from "@/components/findings/load-finding.ts";
import { NewQuery } from "@/components/queries/new-query.tsx";
import { api, HydrateClient } from "@/components/trpc/server.tsx";

export const metadata: Metadata = { title: "New query" };

/**
 * Where it begins: `?folder=3`, with a look at a table, `?source=1&schema=public&table=flights`, or with the rows of
 * a finding, `?finding=7`.
 */
const loadStart = createLoader({
  folder: parseAsInteger,
  source: parseAsInteger,
  schema: parseAsString.withDefault(""),
  table: parseAsString.withDefault(""),
  finding: parseAsInteger,
});

export default async function NewQueryPage({ searchParams }: { searchParams: Promise<SearchParams> }) {
  const { folder, source, schema, table, finding } = await loadStart(searchParams);
  const found = finding === null ? null : await loadFinding(String(finding));
  await Promise.all([api.queries.folders.prefetch({}), api.dataSources.list.prefetch({})]);
  return (
    <HydrateClient>
      <NewQuery
        folderId={folder}
        about={
          found
            ? { source: found.dataSourceId, sql: found.rowsSql ?? "" }
            : source === null
              ? null
              : { source, schema, table }
        }
      />
    </HydrateClient>
  );
}
