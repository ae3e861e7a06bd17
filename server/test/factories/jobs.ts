import { randomUUID } from "node:crypto";
import { db } from "../../db/client.ts";
import { jobEvents, jobRuns } from "../../jobs/tables.ts";

/**
 * A stored job: by default a waiting run, of a function that no engine has, for the event test/happened with this data.
 * Returns its id.
 */
export async function aJob({
  data = {},
  functionId = "plumbline-work",
  eventName = "test/happened",
  ...run
}: Partial<typeof jobRuns.$inferInsert> & {
  data?: Record<string, unknown>;
  eventName?: string;
} = {}): Promise<number> {
  return db.transaction(async (tx) => {
    const [event] = await tx
      .insert(jobEvents)
      .values({ key: randomUUID(), name: eventName, data, fannedOutAt: new Date() })
      .returning();
    const [row] = await tx
      .insert(jobRuns)
      .values({ ...run, functionId, eventId: event?.id ?? 0 })
      .returning();
    if (!row) throw new Error("The insert returned no run");
    return row.id;
  });
}
