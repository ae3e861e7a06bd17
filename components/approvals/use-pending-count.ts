"use client";
import { useMay, useMe } from "@/components/auth/use-me.ts";
import { useProjectInput } from "@/components/projects/use-project.ts";
import { trpc } from "@/components/trpc/client.tsx";

/** How many changes wait for this person: those to decide, or where they decide none, those that they have requested. */
export function usePendingCount(): number {
  const { user } = useMe();
  const mayDecide = useMay("query-changes:decide");
  const list = trpc.approvals.list.useQuery(
    {
      ...useProjectInput(),
      ...(!mayDecide && { requesterId: user.id }),
      status: "Pending",
      pageSize: 1,
    },
    { refetchInterval: 30_000, staleTime: 15_000 },
  );
  return list.data?.totalCount ?? 0;
}
