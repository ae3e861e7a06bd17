"use client";
import { followRun } from "@/components/runs/follow-run.ts";
import { useRun } from "@/components/runs/use-run.ts";
import { trpc } from "@/components/trpc/client.tsx";
import type { Execution } from "@/server/subscriptions/schema.ts";

/**
 * Runs a subscription and follows the execution to its end. Then it refetches everything that depends on it and calls
 * `onDone`.
 */
export function useExecutionRun(subscriptionId: number, onDone: (execution: Execution) => void) {
  const utils = trpc.useUtils();
  const { client } = utils;
  const { run, start } = useRun<Execution, Execution>();
  return {
    start: async () => {
      const execution = await start(async (control) => {
        const begun = await client.subscriptions.execute.mutate({ id: subscriptionId });
        void utils.subscriptions.executions.invalidate({ id: subscriptionId });
        const id = "executionId" in begun ? begun.executionId : begun.id;
        return followRun({
          ...control,
          kind: "Execution",
          id,
          read: (signal) => client.subscriptions.execution.query({ id }, { signal }),
          isOver: ({ status }) => status !== "Created",
        });
      });
      if (!execution) return;
      void utils.subscriptions.invalidate();
      void utils.tasks.invalidate();
      void utils.anomalies.invalidate();
      onDone(execution);
    },
    isRunning: run?.state === "running",
    since: run?.state === "running" ? run.since : null,
    failure: run?.state === "failed" ? run.message : null,
  };
}

export type ExecutionRun = ReturnType<typeof useExecutionRun>;
