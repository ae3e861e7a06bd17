import { eventType } from "inngest";
import { z } from "zod";

/** A delivery may be attempted. The handler checks whether it is still due. */
export const deliveryDue = eventType("notifications/delivery.due", {
  schema: z.object({ deliveryId: z.int() }),
});

/**
 * A delivery has failed permanently. Not sent for notifications about monitors themselves or for tests: a failed
 * failure notice must not cause another one.
 */
export const deliveryFailed = eventType("notifications/delivery.failed", {
  schema: z.object({
    deliveryId: z.int(),
    causeKind: z.enum(["Execution", "Evaluation", "Actor"]),
    causeId: z.int(),
  }),
});
