"use client";
import { useProjectInput } from "../projects/use-project.ts";
import { trpc } from "../trpc/client.tsx";
import { useHydrated } from "../ui/use-hydrated.ts";

/** The number of deliveries in the selected project that recently failed or are being retried. */
export function useFailingDeliveries(): number {
  const isHydrated = useHydrated();
  const { data } = trpc.notifications.list.useQuery(
    { ...useProjectInput(), failing: true, pageSize: 1 },
    { refetchInterval: 30_000, staleTime: 15_000 },
  );
  return isHydrated ? (data?.totalCount ?? 0) : 0;
}
