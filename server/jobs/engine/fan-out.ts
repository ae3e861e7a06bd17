import { and, asc, eq, gt, inArray, isNull, or, sql } from "drizzle-orm";
import { db, type Transaction } from "../../db/client.ts";
import { wakeWorkers } from "../client.ts";
import { jobEvents, jobRuns } from "../tables.ts";
import { failureEvent, type JobFunction, keyOf } from "./supported.ts";

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
            concurrencyKey: keyOf(fn.concurrency?.property, event.data),
            idempotencyKey: keyOf(fn.idempotency, event.data),
          })),
      );
      const wanted = await firstOfTheirKeys(tx, runs);
      if (wanted.length > 0) await tx.insert(jobRuns).values(wanted).onConflictDoNothing();
      await tx
        .update(jobEvents)
        .set({ fannedOutAt: sql`now()` })
        .where(
          inArray(
            jobEvents.id,
            events.map((event) => event.id),
          ),
        );
      made += wanted.length;
      return events.length;
    });
  }
  if (made > canTake) await wakeWorkers(db);
}

type NewRun = { functionId: string; idempotencyKey: string | null };

const nameOf = ({ functionId, idempotencyKey }: NewRun) => `${functionId} ${idempotencyKey}`;

/** Leaves out whose function has had a run with the same key within the last 24 hours, or has one in this list. */
async function firstOfTheirKeys<T extends NewRun>(tx: Transaction, runs: T[]): Promise<T[]> {
  const keyed = runs.filter(({ idempotencyKey }) => idempotencyKey !== null);
  if (keyed.length === 0) return runs;
  // Whoever fans out other events with one of these keys is waited for; all in one order, so nobody waits for ever.
  for (const name of [...new Set(keyed.map(nameOf))].sort())
    await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`job ${name}`}, 0))`);
  const former = await tx
    .select({ functionId: jobRuns.functionId, idempotencyKey: jobRuns.idempotencyKey })
    .from(jobRuns)
    .where(
      and(
        gt(jobRuns.createdAt, sql`now() - interval '24 hours'`),
        or(
          ...keyed.map(({ functionId, idempotencyKey }) =>
            and(eq(jobRuns.functionId, functionId), eq(jobRuns.idempotencyKey, idempotencyKey ?? "")),
          ),
        ),
      ),
    );
  const taken = new Set(former.map(nameOf));
  return runs.filter((run) => {
    if (run.idempotencyKey === null) return true;
    const isFirst = !taken.has(nameOf(run));
    taken.add(nameOf(run));
    return isFirst;
  });
}

function listens(fn: JobFunction, event: { name: string; data: Record<string, unknown> }): boolean {
  return fn.events.some(
    ({ name, failureOf }) =>
      name === event.name &&
      (name !== failureEvent || failureOf === undefined || failureOf === event.data.function_id),
  );
}
