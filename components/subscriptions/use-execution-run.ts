"use client";
import { useEffect, useRef, useState } from "react";
import { trpc } from "@/components/trpc/client.tsx";
import { messageOf } from "@/components/trpc/errors.ts";
import { asSentence } from "@/components/ui/sentence.ts";
import type { Execution } from "@/server/subscriptions/schema.ts";

/**
 * Runs a subscription and follows the execution to its end. Then everything that rests on it is asked for again,
 * and `onDone` is told.
 */
export function useExecutionRun(subscriptionId: number, onDone: (execution: Execution) => void) {
  const utils = trpc.useUtils();
  const [followed, setFollowed] = useState<{ id: number; since: number } | null>(null);
  const start = trpc.subscriptions.execute.useMutation({
    onSuccess: (begun) => {
      setFollowed({ id: "executionId" in begun ? begun.executionId : begun.id, since: Date.now() });
      void utils.subscriptions.executions.invalidate({ id: subscriptionId });
    },
  });
  const progress = trpc.subscriptions.execution.useQuery(
    { id: followed?.id ?? 0 },
    {
      enabled: followed !== null,
      staleTime: 0,
      // Most are done within a second; those that are not take a while.
      refetchInterval: ({ state }) => (state.dataUpdateCount < 12 ? 250 : 1_000),
    },
  );

  const tell = useRef(onDone);
  useEffect(() => {
    tell.current = onDone;
  });
  const current = followed !== null && progress.data?.id === followed.id ? progress.data : undefined;
  useEffect(() => {
    if (!current || current.status === "Created") return;
    setFollowed(null);
    void utils.subscriptions.invalidate();
    void utils.tasks.invalidate();
    void utils.anomalies.invalidate();
    tell.current(current);
  }, [current, utils]);

  // One that cannot be followed is not followed for ever: how it ended is in the list of runs.
  const isLost = followed !== null && progress.isError;
  const failure = isLost ? progress.error : start.error;
  return {
    start: () => {
      setFollowed(null);
      start.mutate({ id: subscriptionId });
    },
    isRunning: start.isPending || (followed !== null && !isLost),
    since: followed?.since ?? null,
    failure: failure ? asSentence(messageOf(failure)) : null,
  };
}

export type ExecutionRun = ReturnType<typeof useExecutionRun>;
