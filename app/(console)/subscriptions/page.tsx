import type { Metadata } from "next";
import type { SearchParams } from "nuqs/server";
import { inProject, loadProject } from "@/components/projects/project-filter.ts";
import { loadSubscriptionFilters, subscriptionListInput } from "@/components/subscriptions/list-input.ts";
import { SubscriptionList } from "@/components/subscriptions/subscription-list.tsx";
import { api, HydrateClient } from "@/components/trpc/server.tsx";

export const metadata: Metadata = { title: "Subscriptions" };

export default async function SubscriptionsPage({ searchParams }: { searchParams: Promise<SearchParams> }) {
  const { project } = await loadProject(searchParams);
  const filters = await loadSubscriptionFilters(searchParams);
  await api.subscriptions.list.prefetch(subscriptionListInput(inProject(project), filters));
  return (
    <HydrateClient>
      <SubscriptionList />
    </HydrateClient>
  );
}
