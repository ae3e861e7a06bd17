"use client";
import { useMay, useMe } from "@/components/auth/use-me.ts";
import { useProjectInput } from "@/components/projects/use-project.ts";
import { trpc } from "@/components/trpc/client.tsx";

/** The number of pending changes the user can decide or, for users who can't decide any, has requested. */
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
