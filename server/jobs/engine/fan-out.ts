import { asc, inArray, isNull, sql } from "drizzle-orm";
import { db } from "../../db/client.ts";
import { wakeWorkers } from "../client.ts";
import { jobEvents, jobRuns } from "../tables.ts";
import { concurrencyKeyOf, failureEvent, type JobFunction } from "./supported.ts";

const batch = 100;

/**
 * Makes the runs of every event that waits: one of each function that listens for it. Wakes the other
 * processes when there are more than this one can take.
 */
export async function fanOut(functions: JobFunction[], canTake: number): Promise<void> {
  let made = 0;
  for (let taken = batch; taken === batch; ) {
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
          .filter((fn) => listens(fn, event))
          .map((fn) => ({
            functionId: fn.id,
            eventId: event.id,
            concurrencyKey: concurrencyKeyOf(fn, event.data),
          })),
      );
      if (runs.length > 0) await tx.insert(jobRuns).values(runs).onConflictDoNothing();
      await tx
        .update(jobEvents)
        .set({ fannedOutAt: sql`now()` })
        .where(
          inArray(
            jobEvents.id,
            events.map((event) => event.id),
          ),
        );
      made += runs.length;
      return events.length;
    });
  }
  if (made > canTake) await wakeWorkers(db);
}

function listens(fn: JobFunction, event: { name: string; data: Record<string, unknown> }): boolean {
  return fn.events.some(
    ({ name, failureOf }) =>
      name === event.name &&
      (name !== failureEvent || failureOf === undefined || failureOf === event.data.function_id),
  );
}
