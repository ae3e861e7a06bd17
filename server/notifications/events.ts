import { eventType } from "inngest";
import { z } from "zod";

/** A delivery may be attempted. Whoever gets this looks whether it still is to be. */
export const deliveryDue = eventType("notifications/delivery.due", {
  schema: z.object({ deliveryId: z.int() }),
});

/**
 * A delivery has finally failed. Not sent for what tells of monitors themselves, nor for tests: a failure to say
 * that something failed must not be said in the same way for ever.
 */
export const deliveryFailed = eventType("notifications/delivery.failed", {
  schema: z.object({
    deliveryId: z.int(),
    causeKind: z.enum(["Execution", "Evaluation", "Actor"]),
    causeId: z.int(),
  }),
});
