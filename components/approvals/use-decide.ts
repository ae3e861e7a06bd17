"use client";
import { useState } from "react";
import { trpc } from "@/components/trpc/client.tsx";
import { factsOf, messageOf } from "@/components/trpc/errors.ts";
import type { Approval } from "@/server/approvals/schema.ts";

export type Decision = "approve" | "reject";

/** Decides a change and refetches everything affected. */
export function useDecide({ id, queryId }: Pick<Approval, "id" | "queryId">) {
  const utils = trpc.useUtils();
  const mutations = {
    approve: trpc.approvals.approve.useMutation(),
    reject: trpc.approvals.reject.useMutation(),
  };
  const [failure, setFailure] = useState<string | null>(null);
  return {
    failure,
    forgetFailure: () => setFailure(null),
    isDeciding: mutations.approve.isPending || mutations.reject.isPending,
    /** Resolves to whether this decision was accepted. */
    decide: async (decision: Decision, comment: string): Promise<boolean> => {
      setFailure(null);
      try {
        const decided = await mutations[decision].mutateAsync({ id, comment: comment.trim() || null });
        utils.approvals.get.setData({ id }, decided);
        return true;
      } catch (error) {
        setFailure(messageOf(error));
        // Reload the change: its current state shows what caused the conflict.
        if (factsOf(error).code === "CONFLICT") await utils.approvals.get.invalidate({ id });
        return false;
      } finally {
        void utils.approvals.list.invalidate();
        void utils.approvals.pending.invalidate();
        void utils.queries.list.invalidate();
        void utils.queries.get.invalidate({ id: queryId });
        void utils.queries.versions.invalidate({ id: queryId });
      }
    },
  };
}
