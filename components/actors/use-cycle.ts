"use client";
import { useEffect } from "react";
import { followRun } from "@/components/runs/follow-run.ts";
import { useRun } from "@/components/runs/use-run.ts";
import { trpc } from "@/components/trpc/client.tsx";
import type { ActorExecution } from "@/server/actors/schema.ts";

const isOver = ({ phase }: ActorExecution) => phase === "Completed" || phase === "Failed";

/**
 * Follows an actor's current cycle, whoever started it; null if there is none or nothing is known yet.
 * Refetches the history at each phase, and everything about actors when the cycle ends.
 */
export function useCycle(actorId: number, id: number | null): ActorExecution | null {
  const utils = trpc.useUtils();
  const { client } = utils;
  const { run, start, cancel } = useRun<ActorExecution, ActorExecution>();
  useEffect(() => {
    if (id === null) return cancel();
    void start(async (control) => {
      const ended = await followRun({
        ...control,
        kind: "ThinkCycle",
        id,
        read: (signal) => client.actors.execution.query({ id }, { signal }),
        isOver,
      });
      void utils.actors.invalidate();
      return ended;
    });
  }, [id, client, utils, start, cancel]);
  const seen = run?.state === "running" ? run.progress : null;
  const phase = seen?.phase ?? null;
  useEffect(() => {
    if (phase !== null) void utils.actors.executions.invalidate({ id: actorId });
  }, [phase, utils, actorId]);
  return seen?.id === id ? seen : null;
}
