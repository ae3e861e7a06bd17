import type { Metadata } from "next";
import { createLoader, parseAsInteger, type SearchParams } from "nuqs/server";
import { inProject, loadProject } from "@/components/projects/project-filter.ts";
import { NewSubscription } from "@/components/subscriptions/new-subscription.tsx";
import { api, HydrateClient } from "@/components/trpc/server.tsx";

export const metadata: Metadata = { title: "New subscription" };

/** Passed on from another page: `?query=7`. */
const loadStart = createLoader({ query: parseAsInteger });

export default async function NewSubscriptionPage({ searchParams }: { searchParams: Promise<SearchParams> }) {
  const [{ project }, { query }] = await Promise.all([loadProject(searchParams), loadStart(searchParams)]);
  await api.queries.list.prefetch({ ...inProject(project), pageSize: 500 });
  return (
    <HydrateClient>
      <NewSubscription queryId={query} />
    </HydrateClient>
  );
}
