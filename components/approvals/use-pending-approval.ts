"use client";
import { useEffect, useRef } from "react";
import { useMe } from "@/components/auth/use-me.ts";
import { trpc } from "@/components/trpc/client.tsx";
import { toast } from "@/components/ui/toaster.tsx";
import type { Approval } from "@/server/approvals/schema.ts";
import type { Query } from "@/server/queries/schema.ts";

/** A query's pending change; null if there is none or it hasn't loaded. Reports the decision when it is made. */
export function usePendingApproval({
  id,
  pendingVersion,
}: Pick<Query, "id" | "pendingVersion">): Approval | null {
  const utils = trpc.useUtils();
  const { user } = useMe();
  const list = trpc.approvals.list.useQuery(
    { queryId: id, kind: "Change", status: "Pending", pageSize: 1 },
    { enabled: pendingVersion !== null, refetchInterval: 20_000 },
  );
  const found = list.data?.items[0];
  const pending = found && found.proposedVersion.number === pendingVersion ? found : null;
  const { refetch } = list;
  const asked = useRef(pendingVersion);
  // The query is the first to name another pending version, so read the list again for it.
  useEffect(() => {
    if (asked.current === pendingVersion) return;
    asked.current = pendingVersion;
    if (pendingVersion !== null) void refetch();
  }, [pendingVersion, refetch]);

  const watched = useRef<number | null>(null);
  useEffect(() => {
    if (pending) watched.current = pending.id;
    if (pendingVersion !== null || watched.current === null) return;
    const decided = watched.current;
    watched.current = null;
    void utils.approvals.get.fetch({ id: decided }, { staleTime: 0 }).then(
      ({ status, requester, reviewer, proposedVersion, comment }) => {
        if (reviewer === null || reviewer.id === user.id) return;
        const say = status === "Approved" ? toast.success : toast.error;
        // For the requester, the reason stays on the page until it is read; others get it here.
        const isOwn = requester?.id === user.id;
        say(`${reviewer.name} ${status.toLowerCase()} version ${proposedVersion.number}`, {
          ...(comment && !isOwn && { description: comment }),
        });
        void utils.approvals.list.invalidate();
      },
      // The query is archived; its page says so.
      () => {},
    );
  }, [pending, pendingVersion, utils, user.id]);
  return pending;
}
