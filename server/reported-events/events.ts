import { eventType } from "inngest";
import { z } from "zod";

/** A load was reported, with tables that it read and tables that it wrote. */
export const loadReported = eventType("reported-events/load.reported", {
  schema: z.object({ eventId: z.int() }),
});
