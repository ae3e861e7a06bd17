import { eventType } from "inngest";
import { z } from "zod";
import type { ExecutionStatus } from "./kinds.ts";

/** A subscription is due. */
export const subscriptionDue = eventType("subscriptions/subscription.due", {
  schema: z.object({
    subscriptionId: z.int(),
    scheduledFor: z.iso.datetime(),
    /** The data source it reads first: concurrency is limited per data source. */
    dataSourceId: z.int().nullish(),
  }),
});

/** An execution has ended, with any outcome; `aiActorId` is the actor that owns the subscription. */
export const executionFinished = eventType("subscriptions/execution.finished", {
  schema: z.object({
    executionId: z.int(),
    subscriptionId: z.int(),
    status: z.string(),
    aiActorId: z.int().nullable(),
  }),
});

/** The same for an actor's subscription: wakes the actor. */
export const ownedExecutionFinished = eventType("subscriptions/owned-execution.finished", {
  schema: z.object({ executionId: z.int(), subscriptionId: z.int(), aiActorId: z.int() }),
});

/** The events of an execution that has ended. Only an actor's own subscriptions wake one, so most executions create no job. */
export function endOf(
  executionId: number,
  { id, aiActorId }: { id: number; aiActorId: number | null },
  status: ExecutionStatus,
) {
  const about = { executionId, subscriptionId: id };
  const finished = executionFinished.create(
    { ...about, status, aiActorId },
    { id: `execution-finished/${executionId}` },
  );
  if (aiActorId === null) return [finished];
  const owned = ownedExecutionFinished.create(
    { ...about, aiActorId },
    { id: `owned-execution-finished/${executionId}` },
  );
  return [finished, owned];
}
