import { eventType } from "inngest";
import { z } from "zod";

/** A contract's scheduled time has come. */
export const contractDue = eventType("data-quality/contract.due", {
  schema: z.object({
    contractId: z.int(),
    scheduledFor: z.iso.datetime(),
    /** What it waits for: how many wait for one data source at once is limited. */
    dataSourceId: z.int().nullish(),
  }),
});
