import { eventType } from "inngest";
import { z } from "zod";

/** An event is to go to a Pusher-compatible service, once the transaction that sent it has committed. */
export const hubEventSent = eventType("realtime/event.sent", {
  schema: z.object({
    userIds: z.array(z.int()),
    name: z.string(),
    data: z.record(z.string(), z.unknown()),
    /** PostgreSQL's number of that transaction. */
    transaction: z.string(),
  }),
});
