import type { Metadata } from "next";
import { createLoader, parseAsInteger, type SearchParams } from "nuqs/server";
import { NewQuery } from "@/components/queries/new-query.tsx";
import { api, HydrateClient } from "@/components/trpc/server.tsx";

export const metadata: Metadata = { title: "New query" };

/** Where it begins: `?folder=3`. */
const loadStart = createLoader({ folder: parseAsInteger });

export default async function NewQueryPage({ searchParams }: { searchParams: Promise<SearchParams> }) {
  const { folder } = await loadStart(searchParams);
  await Promise.all([api.queries.folders.prefetch({}), api.dataSources.list.prefetch({})]);
  return (
    <HydrateClient>
      <NewQuery folderId={folder} />
    </HydrateClient>
  );
}
