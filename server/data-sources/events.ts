import { eventType } from "inngest";
import { z } from "zod";

/** The schemas, tables and columns of a data source were read: what rests on them may have lost its ground. */
export const schemaRead = eventType("data-sources/schema.read", {
  schema: z.object({ dataSourceId: z.int() }),
});
