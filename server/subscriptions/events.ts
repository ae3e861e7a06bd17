import { eventType } from "inngest";
import { z } from "zod";

/** A subscription's scheduled time has come. */
export const subscriptionDue = eventType("subscriptions/subscription.due", {
  schema: z.object({
    subscriptionId: z.int(),
    scheduledFor: z.iso.datetime(),
    /** What it waits for: how many wait for one data source at once is limited. */
    dataSourceId: z.int().nullish(),
  }),
});

/** An execution has ended, whatever came of it; `aiActorId` is the actor that owns the subscription. */
export const executionFinished = eventType("subscriptions/execution.finished", {
  schema: z.object({
    executionId: z.int(),
    subscriptionId: z.int(),
    status: z.string(),
    aiActorId: z.int().nullable(),
  }),
});

/** The same, where an actor owns the subscription: what wakes it. */
export const ownedExecutionFinished = eventType("subscriptions/owned-execution.finished", {
  schema: z.object({ executionId: z.int(), subscriptionId: z.int(), aiActorId: z.int() }),
});
