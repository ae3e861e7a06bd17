"use client";
import { LiveNotice } from "@/components/realtime/live-notice.tsx";
import { ManagedNotice } from "@/components/stacks/managed-notice.tsx";
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
import { useCycle } from "./use-cycle.ts";

/** One actor: current activity, pending plans, what it created, and its instructions. */
export function ActorPage({ id }: { id: number }) {
  const [actor] = trpc.actors.get.useSuspenseQuery({ id }, { refetchInterval: 10_000 });
  const [{ items: plans }] = trpc.actors.pendingPlans.useSuspenseQuery({ id }, { refetchInterval: 10_000 });
  const actions = useActorActions(actor);
  const cycle = useCycle(id, actor.currentExecution?.id ?? null);
  return (
    <>
      <ActorHeader actor={actor} actions={actions} />
      <ManagedNotice kind="Actor" id={id} />
      <LiveNotice />
      <ActorNow actor={actor} cycle={cycle} />
      <PlanInbox plans={plans} showsActor={false} />
      <ActorFigures actor={actor} />
      <div className="grid gap-x-8 gap-y-8 py-6 lg:grid-cols-[minmax(0,1fr)_22rem]">
        <div className="flex min-w-0 flex-col gap-8">
          <ActorWatches actor={actor} />
          <ActorCourse id={id} />
        </div>
        <div className="flex min-w-0 flex-col gap-8">
          <Conversation actor={actor} />
          <ActorSide actor={actor} />
        </div>
      </div>
    </>
  );
}
