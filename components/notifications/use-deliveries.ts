"use client";
import { useQueryStates } from "nuqs";
import { useCallback, useDeferredValue, useMemo } from "react";
import { useProject } from "../projects/use-project.ts";
import { type Outputs, trpc } from "../trpc/client.tsx";
import { type DeliveryFilters, deliveryInput, deliveryParameters } from "./delivery-filter.ts";

export type ListedDelivery = Outputs["notifications"]["list"]["items"][number];

/** While something is about to be sent, and otherwise. */
const refreshMs = { busy: 2_000, idle: 10_000 };

const isAboutToGo = ({ status, nextAttemptAt }: ListedDelivery) =>
  status === "Queued" && nextAttemptAt !== null && Date.parse(nextAttemptAt) < Date.now() + refreshMs.busy;

/** A page of the ledger, by what the address asks for. While another one is on its way the rows stay. */
export function useDeliveries() {
  const [filters, set] = useQueryStates(deliveryParameters, { clearOnDefault: true, history: "push" });
  const { project } = useProject();
  const asked = JSON.stringify(deliveryInput(filters, project));
  const settled = useDeferredValue(asked);
  const input = useMemo(() => JSON.parse(settled) as ReturnType<typeof deliveryInput>, [settled]);
  const [ledger] = trpc.notifications.list.useSuspenseQuery(input, {
    refetchInterval: ({ state }) => (state.data?.items.some(isAboutToGo) ? refreshMs.busy : refreshMs.idle),
  });
  return {
    ledger,
    filters,
    isFiltered: filters.status !== null || filters.failing || filters.recipient !== null,
    isChanging: asked !== settled,
    /** Another filter begins at the newest again. */
    setFilters: (next: Partial<DeliveryFilters>) => void set({ ...next, page: null }),
    setPage: useCallback((next: number) => void set({ page: next + 1 }), [set]),
    showAll: () => void set({ status: null, failing: null, recipient: null, page: null }),
  };
}

export type Deliveries = ReturnType<typeof useDeliveries>;
