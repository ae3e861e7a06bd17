"use client";
import { useState } from "react";
import { trpc } from "@/components/trpc/client.tsx";
import { factsOf, messageOf } from "@/components/trpc/errors.ts";
import type { Plan } from "@/server/actors/schema.ts";
import type { RevisionWishesInput } from "@/server/actors/wishes.ts";

export type PlanDecision = "approve" | "revise" | "reject";

/** Decides a plan and refetches everything affected. */
export function useDecidePlan(
  { id, actions }: Pick<Plan, "id" | "actions">,
  wishes: RevisionWishesInput | null,
  leftOut: ReadonlySet<number>,
) {
  const utils = trpc.useUtils();
  const approve = trpc.actors.approvePlan.useMutation();
  const revise = trpc.actors.requestRevision.useMutation();
  const reject = trpc.actors.rejectPlan.useMutation();
  const [failure, setFailure] = useState<string | null>(null);
  const send = (decision: PlanDecision, text: string) => {
    if (decision === "approve" && leftOut.size > 0) {
      const taken = actions.map(({ index }) => index).filter((index) => !leftOut.has(index));
      return approve.mutateAsync({ id, actions: taken, declineReason: text });
    }
    if (decision === "approve") return approve.mutateAsync({ id, comment: text.trim() || null });
    return decision === "revise"
      ? revise.mutateAsync({ id, feedback: text, wishes })
      : reject.mutateAsync({ id, reason: text });
  };
  return {
    failure,
    forgetFailure: () => setFailure(null),
    isDeciding: approve.isPending || revise.isPending || reject.isPending,
    /** Resolves to whether this decision was accepted. */
    decide: async (decision: PlanDecision, text: string): Promise<boolean> => {
      setFailure(null);
      try {
        const decided = await send(decision, text);
        utils.actors.plan.setData({ id }, decided);
        return true;
      } catch (error) {
        setFailure(messageOf(error));
        // Reload the plan: its current state shows what caused the conflict.
        if (factsOf(error).code === "CONFLICT") await utils.actors.plan.invalidate({ id });
        return false;
      } finally {
        void utils.actors.invalidate();
      }
    },
  };
}
