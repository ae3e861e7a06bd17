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
