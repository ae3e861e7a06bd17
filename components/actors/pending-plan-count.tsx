"use client";
import { useMay } from "@/components/auth/use-me.ts";
import { useProjectInput } from "@/components/projects/use-project.ts";
import { CountBadge } from "@/components/shell/count-badge.tsx";
import { trpc } from "@/components/trpc/client.tsx";

/** The number of pending plans, for people who can decide, next to the page's link. */
export function PendingPlanCount({ narrow }: { narrow: boolean }) {
  const mayDecide = useMay("plans:decide");
  const { data } = trpc.actors.pendingCount.useQuery(useProjectInput(), {
    enabled: mayDecide,
    refetchInterval: 30_000,
    staleTime: 15_000,
  });
  return <CountBadge count={data?.count ?? 0} narrow={narrow} />;
}
