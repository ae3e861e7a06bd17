"use client";
import { followRun } from "@/components/runs/follow-run.ts";
import { useRun } from "@/components/runs/use-run.ts";
import { trpc } from "@/components/trpc/client.tsx";
import type { Evaluation } from "@/server/data-quality/evaluations/schema.ts";

/**
 * Starts an evaluation of a contract, or joins the running one, and follows it to its end. Then it refetches
 * everything about the contract and calls `onDone`.
 */
export function useEvaluationRun(contractId: number, onDone: (evaluation: Evaluation) => void) {
  const utils = trpc.useUtils();
  const { client } = utils;
  const { run, start } = useRun<Evaluation, Evaluation>();
  const seen = run?.state === "running" ? run.progress : null;
  return {
    start: async () => {
      const evaluation = await start(async (control) => {
        const { id } = await client.dataQuality.startEvaluation.mutate({ id: contractId });
        return followRun({
          ...control,
          kind: "Evaluation",
          id,
          read: (signal) => client.dataQuality.evaluation.query({ id }, { signal }),
          isOver: ({ status }) => status === "Completed",
        });
      });
      if (!evaluation) return;
      void utils.dataQuality.invalidate();
      onDone(evaluation);
    },
    isRunning: run?.state === "running",
    /** How many rules are measured, and out of how many; null until known. */
    progress: seen?.progress ?? null,
    trigger: seen?.trigger ?? null,
    since: run?.state === "running" ? run.since : null,
    failure: run?.state === "failed" ? run.message : null,
  };
}

export type EvaluationRun = ReturnType<typeof useEvaluationRun>;
