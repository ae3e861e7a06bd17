"use client";
import { useEffect, useRef, useState } from "react";
import { trpc } from "@/components/trpc/client.tsx";
import { messageOf } from "@/components/trpc/errors.ts";
import { asSentence } from "@/components/ui/sentence.ts";
import type { Evaluation } from "@/server/data-quality/schema.ts";

/**
 * Begins an evaluation of a contract, or joins the one that is under way, and follows it to its end. Then
 * everything that shows the contract is asked for again, and `onDone` is told.
 */
export function useEvaluationRun(contractId: number, onDone: (evaluation: Evaluation) => void) {
  const utils = trpc.useUtils();
  const [followed, setFollowed] = useState<{ id: number; since: number } | null>(null);
  const start = trpc.dataQuality.startEvaluation.useMutation({
    onSuccess: ({ id }) => setFollowed({ id, since: Date.now() }),
  });
  const progress = trpc.dataQuality.evaluation.useQuery(
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
    if (current?.status !== "Completed") return;
    setFollowed(null);
    void utils.dataQuality.invalidate();
    tell.current(current);
  }, [current, utils]);

  // One that cannot be followed is not followed for ever: what was measured is in the history.
  const isLost = followed !== null && progress.isError;
  const failure = isLost ? progress.error : start.error;
  return {
    start: () => {
      setFollowed(null);
      start.mutate({ id: contractId });
    },
    isRunning: start.isPending || (followed !== null && !isLost),
    /** Rules measured and how many there are, once that is known. */
    progress: current?.progress ?? null,
    trigger: current?.trigger ?? null,
    /** When it began to be followed. */
    since: followed?.since ?? null,
    failure: failure ? asSentence(messageOf(failure)) : null,
  };
}

export type EvaluationRun = ReturnType<typeof useEvaluationRun>;
