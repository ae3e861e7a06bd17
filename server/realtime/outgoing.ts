import { eventType } from "inngest";
import { z } from "zod";

/** An event to send to a Pusher-compatible service once its transaction has committed. */
export const hubEventSent = eventType("realtime/event.sent", {
  schema: z.object({
    userIds: z.array(z.int()),
    name: z.string(),
    data: z.record(z.string(), z.unknown()),
    /** PostgreSQL's id of that transaction. */
    transaction: z.string(),
  }),
});
