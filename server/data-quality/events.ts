import { eventType } from "inngest";
import { z } from "zod";

/** A contract is due. */
export const contractDue = eventType("data-quality/contract.due", {
  schema: z.object({
    contractId: z.int(),
    scheduledFor: z.iso.datetime(),
    /** Its data source: concurrency is limited per data source. */
    dataSourceId: z.int().nullish(),
  }),
});

/** A project's rule templates were changed or removed, so its contracts may be behind. */
export const templatesChanged = eventType("data-quality/templates.changed", {
  schema: z.object({ projectId: z.int() }),
});

/** An evaluation has ended, and its lineage is wanted elsewhere. */
export const evaluationStored = eventType("data-quality/evaluation.stored", {
  schema: z.object({ evaluationId: z.int() }),
});
