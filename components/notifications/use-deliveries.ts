"use client";
import { useProject } from "../projects/use-project.ts";
import { type Outputs, trpc } from "../trpc/client.tsx";
import { useListFilters } from "../ui/use-list-filters.ts";
import { deliveryInput, deliveryParameters } from "./delivery-filter.ts";

export type ListedDelivery = Outputs["notifications"]["list"]["items"][number];

/** Poll faster while something is about to be sent. */
const refreshMs = { busy: 2_000, idle: 10_000 };

const isAboutToGo = ({ status, nextAttemptAt }: ListedDelivery) =>
  status === "Queued" && nextAttemptAt !== null && Date.parse(nextAttemptAt) < Date.now() + refreshMs.busy;

/** A page of deliveries, by the filters in the URL. */
export function useDeliveries() {
  const { project } = useProject();
  const list = useListFilters(deliveryParameters, (filters) => deliveryInput(filters, project), {
    history: "push",
  });
  const [deliveries] = trpc.notifications.list.useSuspenseQuery(list.input, {
    refetchInterval: ({ state }) => (state.data?.items.some(isAboutToGo) ? refreshMs.busy : refreshMs.idle),
  });
  return { list, deliveries };
}
