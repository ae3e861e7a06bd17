import { asc, isNull, sql } from "drizzle-orm";
import { db } from "../../db/client.ts";
import { afterRequests } from "../../requests-first.ts";
import { wakeWorkers } from "../client.ts";
import { jobEvents, jobRuns } from "../tables.ts";
import { type JobFunction, keyOf } from "./supported.ts";

const batch = 100;

/**
 * Creates the runs of every pending event: one per function that listens for it. Wakes the other processes if there are
 * more runs than this one can take.
 */
export async function fanOut(functions: JobFunction[], canTake: number): Promise<void> {
  let made = 0;
  for (let taken = batch; taken === batch; ) {
    await afterRequests();
    taken = await db.transaction(async (tx) => {
      const events = await tx
        .select()
        .from(jobEvents)
        .where(isNull(jobEvents.fannedOutAt))
        .orderBy(asc(jobEvents.id))
        .limit(batch)
        .for("update", { skipLocked: true });
      if (events.length === 0) return 0;
      const runs = events.flatMap((event) =>
        functions
          .filter((fn) => fn.events.includes(event.name))
          .map((fn) => ({
            function_id: fn.id,
            event_id: event.id,
            concurrency_key: keyOf(fn.concurrency?.property, event.data),
          })),
      );
      if (runs.length > 0)
        await tx.execute(sql`
          insert into ${jobRuns} (function_id, event_id, concurrency_key)
          select function_id, event_id, concurrency_key from json_to_recordset(${JSON.stringify(runs)}::json)
            as given (function_id text, event_id integer, concurrency_key text)
          on conflict do nothing`);
      const ids = `{${events.map((event) => event.id).join()}}`;
      await tx
        .update(jobEvents)
        .set({ fannedOutAt: sql`now()` })
        .where(sql`${jobEvents.id} = any(${ids}::integer[])`);
      made += runs.length;
      return events.length;
    });
  }
  if (made > canTake) await wakeWorkers(db);
}
