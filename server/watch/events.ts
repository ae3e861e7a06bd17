import { eventType } from "inngest";
import { z } from "zod";

/** The time has come to look at a watched data source. */
export const lookDue = eventType("watch/look.due", {
  schema: z.object({ dataSourceId: z.int(), scheduledFor: z.iso.datetime() }),
});
