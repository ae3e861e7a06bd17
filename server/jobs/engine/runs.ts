import { and, asc, eq, inArray, isNull, or, sql } from "drizzle-orm";
import { db, type Transaction } from "../../db/client.ts";
import { insertEvents, wakeWorkers } from "../client.ts";
import { type JobError, jobEvents, jobRuns, jobSteps } from "../tables.ts";
import type { Call } from "./protocol.ts";
import { failureEvent } from "./supported.ts";

/**
 * A run in the database, from a worker's claim to its end.
 *
 * A claim is a lease: until it ends, no other worker takes the run, and its worker keeps renewing it. Every
 * claim counts up the run's fence, and every write names the fence that it was claimed with. So a worker that
 * was believed dead and comes back changes nothing: its writes answer false, and it lets go.
 */

export type Claim = { id: number; fence: number };
export type ClaimedRun = Claim & Pick<Call, "functionId" | "event" | "steps" | "attempt">;

/** What ended a step for good. */
export type StepResult = { key: string; name: string } & ({ data: unknown } | { error: JobError });

const milliseconds = (ms: number) => sql`${ms} * interval '1 millisecond'`;
const fromNow = (ms: number) => sql`now() + ${milliseconds(ms)}`;

const held = ({ id, fence }: Claim) =>
  and(eq(jobRuns.id, id), eq(jobRuns.fence, fence), eq(jobRuns.status, "Running"));

const unfinished = (functionIds: string[]) =>
  and(isNull(jobRuns.finishedAt), inArray(jobRuns.functionId, functionIds));

/** Takes runs that are due, of the functions that this process has; a lost worker's count one try more. */
export async function claimRuns(
  functionIds: string[],
  limit: number,
  leaseMs: number,
): Promise<ClaimedRun[]> {
  const due = db
    .select({ id: jobRuns.id })
    .from(jobRuns)
    .where(and(unfinished(functionIds), sql`${jobRuns.dueAt} <= now()`))
    .orderBy(asc(jobRuns.dueAt), asc(jobRuns.id))
    .limit(limit)
    .for("update", { skipLocked: true });
  const claimed = await db
    .update(jobRuns)
    .set({
      status: "Running",
      fence: sql`${jobRuns.fence} + 1`,
      attempt: sql`${jobRuns.attempt} + (${jobRuns.status} = 'Running')::int`,
      dueAt: fromNow(leaseMs),
      startedAt: sql`coalesce(${jobRuns.startedAt}, now())`,
    })
    // An array, so that the rows are locked once, and no more of them than the limit.
    .where(sql`${jobRuns.id} = any(array(${due}))`)
    .returning();
  if (claimed.length === 0) return [];

  const events = await db
    .select()
    .from(jobEvents)
    .where(
      inArray(
        jobEvents.id,
        claimed.map((run) => run.eventId),
      ),
    );
  const steps = await db
    .select()
    .from(jobSteps)
    .where(
      inArray(
        jobSteps.runId,
        claimed.map((run) => run.id),
      ),
    )
    .orderBy(asc(jobSteps.id));
  return claimed.flatMap(({ id, fence, functionId, attempt, eventId }) => {
    const event = events.find((candidate) => candidate.id === eventId);
    if (!event) return [];
    const { key, name, data, occurredAt } = event;
    return {
      id,
      fence,
      functionId,
      attempt,
      event: { id: key, name, data, ts: occurredAt.getTime() },
      steps: new Map(
        steps
          .filter((step) => step.runId === id)
          .map((step) => [step.key, step.error ? { error: step.error } : { data: step.data }]),
      ),
    };
  });
}

/** Prolongs leases; returns the ids of those that are still held. */
export async function renewLeases(claims: Claim[], leaseMs: number): Promise<Set<number>> {
  if (claims.length === 0) return new Set();
  const renewed = await db
    .update(jobRuns)
    .set({ dueAt: fromNow(leaseMs) })
    .where(or(...claims.map(held)))
    .returning({ id: jobRuns.id });
  return new Set(renewed.map((run) => run.id));
}

/** Keeps what a step returned; `attempt` is how many tries have failed since. False when the lease is lost. */
export async function keepStep(run: Claim, step: StepResult, attempt: number): Promise<boolean> {
  return db.transaction(async (tx) => {
    // Locks the run, so that no other worker claims it between the check and the write.
    if (!(await write(tx, run, { attempt }))) return false;
    await tx
      .insert(jobSteps)
      .values({ runId: run.id, ...step })
      .onConflictDoNothing();
    return true;
  });
}

export async function completeRun(run: Claim): Promise<boolean> {
  return write(db, run, { status: "Completed", finishedAt: sql`now()` });
}

/** Puts a run back until its next try. */
export async function retryRun(
  run: Claim,
  attempt: number,
  delayMs: number,
  error: string,
): Promise<boolean> {
  return write(db, run, { status: "Waiting", attempt, dueAt: fromNow(delayMs), error });
}

/** Ends a run for good and tells `onFailure`, in one transaction. */
export async function failRun(run: ClaimedRun, error: JobError): Promise<boolean> {
  return db.transaction(async (tx) => {
    if (!(await write(tx, run, { status: "Failed", finishedAt: sql`now()`, error: error.message })))
      return false;
    // A failure handler that fails has nobody to tell.
    if (run.event.name === failureEvent) return true;
    const data = { function_id: run.functionId, run_id: String(run.id), error, event: run.event };
    await insertEvents(tx, [{ id: `failed/${run.id}/${run.fence}`, name: failureEvent, data }]);
    return true;
  });
}

/** Gives up a run that has not ended, for another worker to go on with at once. */
export async function handBack(run: Claim): Promise<boolean> {
  return db.transaction(async (tx) => {
    if (!(await write(tx, run, { status: "Waiting", dueAt: sql`now()` }))) return false;
    await wakeWorkers(tx);
    return true;
  });
}

type Change = Parameters<ReturnType<typeof db.update<typeof jobRuns>>["set"]>[0];

async function write(connection: typeof db | Transaction, run: Claim, change: Change): Promise<boolean> {
  const written = await connection.update(jobRuns).set(change).where(held(run)).returning({ id: jobRuns.id });
  return written.length > 0;
}

/** Milliseconds until the next run is due, or a lease ends; null when there is none. */
export async function nextDueMs(functionIds: string[]): Promise<number | null> {
  const [row] = await db
    .select({
      ms: sql<number | null>`(extract(epoch from min(${jobRuns.dueAt}) - now()) * 1000)::float8`,
    })
    .from(jobRuns)
    .where(unfinished(functionIds));
  return row?.ms ?? null;
}

/** Whether any event waits to be fanned out, or any run has not ended: one look, or work could slip between two. */
export async function hasWork(functionIds: string[]): Promise<boolean> {
  const events = db.select().from(jobEvents).where(isNull(jobEvents.fannedOutAt));
  const runs = db.select().from(jobRuns).where(unfinished(functionIds));
  const [row] = await db.execute<{ any: boolean }>(sql`select exists ${events} or exists ${runs} as any`);
  return row?.any === true;
}
