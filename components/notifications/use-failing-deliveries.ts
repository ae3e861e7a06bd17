"use client";
import { useProjectInput } from "../projects/use-project.ts";
import { trpc } from "../trpc/client.tsx";

/** How many deliveries failed of late or are tried again, in the chosen project. */
export function useFailingDeliveries(): number {
  const { data } = trpc.notifications.list.useQuery(
    { ...useProjectInput(), failing: true, pageSize: 1 },
    { refetchInterval: 30_000, staleTime: 15_000 },
  );
  return data?.totalCount ?? 0;
}
