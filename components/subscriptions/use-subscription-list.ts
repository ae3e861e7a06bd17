"use client";
import { useProjectInput } from "@/components/projects/use-project.ts";
import { trpc } from "@/components/trpc/client.tsx";
import { useListFilters } from "@/components/ui/use-list-filters.ts";
import { subscriptionListInput, subscriptionParameters } from "./list-input.ts";
import { isUnderWay } from "./outcome-looks.ts";

/** A page of subscriptions matching the filters in the URL. */
export function useSubscriptionList() {
  const project = useProjectInput();
  const list = useListFilters(subscriptionParameters, (filters) => subscriptionListInput(project, filters));
  const [page] = trpc.subscriptions.list.useSuspenseQuery(list.input, {
    refetchInterval: ({ state: { data } }) =>
      data?.items.some(({ lastExecution }) => lastExecution && isUnderWay(lastExecution.outcome))
        ? 2_000
        : 30_000,
  });
  return { list, page };
}
