"use client";
import { useEffect, useRef } from "react";
import { LiveNotice } from "@/components/realtime/live-notice.tsx";
import { trpc } from "@/components/trpc/client.tsx";
import { ActorCourse } from "./actor-course.tsx";
import { ActorFigures } from "./actor-figures.tsx";
import { ActorHeader } from "./actor-header.tsx";
import { ActorNow } from "./actor-now.tsx";
import { ActorSide } from "./actor-side.tsx";
import { ActorWatches } from "./actor-watches.tsx";
import { Conversation } from "./conversation.tsx";
import { PlanInbox } from "./plan-inbox.tsx";
import { useActorActions } from "./use-actor-actions.ts";

/** One actor: what it is at, what waits for people, what it has made, and what it was told. */
export function ActorPage({ id }: { id: number }) {
  const utils = trpc.useUtils();
  const [actor] = trpc.actors.get.useSuspenseQuery(
    { id },
    { refetchInterval: ({ state: { data } }) => (data?.currentExecution ? 2_000 : 10_000) },
  );
  const [{ items: plans }] = trpc.actors.pendingPlans.useSuspenseQuery({ id }, { refetchInterval: 10_000 });
  const actions = useActorActions(actor);
  const current = actor.currentExecution?.id ?? null;
  // What a cycle has led to is asked for as soon as it is over.
  const before = useRef(current);
  useEffect(() => {
    if (before.current === current) return;
    before.current = current;
    void utils.actors.executions.invalidate({ id });
    void utils.actors.pendingPlans.invalidate({ id });
    void utils.actors.pendingCount.invalidate();
  }, [current, utils, id]);
  return (
    <>
      <ActorHeader actor={actor} actions={actions} />
      <LiveNotice />
      <ActorNow actor={actor} />
      <PlanInbox plans={plans} showsActor={false} />
      <ActorFigures actor={actor} />
      <div className="grid gap-x-8 gap-y-8 py-6 lg:grid-cols-[minmax(0,1fr)_22rem]">
        <div className="flex min-w-0 flex-col gap-8">
          <ActorWatches actor={actor} />
          <ActorCourse id={id} isBusy={current !== null} />
        </div>
        <div className="flex min-w-0 flex-col gap-8">
          <Conversation actor={actor} />
          <ActorSide actor={actor} />
        </div>
      </div>
    </>
  );
}
