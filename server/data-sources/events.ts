import { eventType } from "inngest";
import { z } from "zod";

/** The schemas, tables, and columns of a data source were read, so what depends on them may be outdated. */
export const schemaRead = eventType("data-sources/schema.read", {
  schema: z.object({ dataSourceId: z.int() }),
});

/** A table's tags have changed, so what selects tables by them may be outdated. */
export const tableTagged = eventType("data-sources/table.tagged", {
  schema: z.object({ dataSourceId: z.int() }),
});

/** What the occurrences of scans on a schedule are called. */
export const scheduledScanKind = "scan";

/** The time has come to scan a data source for faults. */
export const scanDue = eventType("data-sources/scan.due", {
  schema: z.object({ dataSourceId: z.int(), scheduledFor: z.iso.datetime() }),
});
