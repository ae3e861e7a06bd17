import { eventType } from "inngest";
import { z } from "zod";

/** A subscription is due. */
export const subscriptionDue = eventType("subscriptions/subscription.due", {
  schema: z.object({
    subscriptionId: z.int(),
    scheduledFor: z.iso.datetime(),
    /** The data source it reads first: concurrency is limited per data source. */
    dataSourceId: z.int().nullish(),
  }),
});

/** An execution of an actor's subscription has ended, with any outcome: wakes the actor. Nobody is woken by others. */
export const ownedExecutionFinished = eventType("subscriptions/owned-execution.finished", {
  schema: z.object({ executionId: z.int(), subscriptionId: z.int(), aiActorId: z.int() }),
});

/** The events of an execution that has ended. */
export const endOf = (executionId: number, { id, aiActorId }: { id: number; aiActorId: number | null }) =>
  aiActorId === null
    ? []
    : [
        ownedExecutionFinished.create(
          { executionId, subscriptionId: id, aiActorId },
          { id: `owned-execution-finished/${executionId}` },
        ),
      ];
