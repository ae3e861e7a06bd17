import type { Metadata } from "next";
import { createLoader, parseAsInteger, parseAsStringLiteral, type SearchParams } from "nuqs/server";
import { inProject, loadProject } from "@/components/projects/project-filter.ts";
import { subscriptionListInput } from "@/components/subscriptions/list-input.ts";
import { SubscriptionList } from "@/components/subscriptions/subscription-list.tsx";
import { subscriptionStates } from "@/components/subscriptions/subscription-rows.ts";
import { api, HydrateClient } from "@/components/trpc/server.tsx";

export const metadata: Metadata = { title: "Subscriptions" };

const loadFilters = createLoader({
  query: parseAsInteger,
  state: parseAsStringLiteral(subscriptionStates),
  page: parseAsInteger.withDefault(1),
});

export default async function SubscriptionsPage({ searchParams }: { searchParams: Promise<SearchParams> }) {
  const { project } = await loadProject(searchParams);
  const filters = await loadFilters(searchParams);
  await api.subscriptions.list.prefetch(subscriptionListInput(inProject(project), filters));
  return (
    <HydrateClient>
      <SubscriptionList />
    </HydrateClient>
  );
}
