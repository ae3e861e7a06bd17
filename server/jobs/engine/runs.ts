import { and, eq, inArray, isNull, or, sql } from "drizzle-orm";
import { db, type Transaction } from "../../db/client.ts";
import { insertEvents, wakeWorkers } from "../client.ts";
import { type JobError, jobEvents, jobRuns, jobSteps } from "../tables.ts";
import type { Call } from "./protocol.ts";
import type { Sleep } from "./sleep.ts";
import { failureEvent } from "./supported.ts";

/**
 * A run in the database, from a worker's claim (claim.ts) to its end.
 *
 * A claim is a lease: until it ends, no other worker takes the run, and its worker keeps renewing it. Every
 * claim counts up the run's fence, and every write names the fence that it was claimed with. So a worker that
 * was believed dead and comes back changes nothing: its writes answer false, and it lets go.
 */

export type Claim = { id: number; fence: number };
export type ClaimedRun = Claim &
  Pick<Call, "functionId" | "event" | "steps" | "attempt"> & {
    /** Whether it shares a limit with others. */
    isKeyed: boolean;
  };

/** What ended a step for good. */
export type StepResult = { key: string; name: string } & ({ data: unknown } | { error: JobError });

const milliseconds = (ms: number) => sql`${ms} * interval '1 millisecond'`;
const fromNow = (ms: number) => sql`now() + ${milliseconds(ms)}`;

const held = ({ id, fence }: Claim) =>
  and(eq(jobRuns.id, id), eq(jobRuns.fence, fence), eq(jobRuns.status, "Running"));

const unfinished = (functionIds: string[]) =>
  and(isNull(jobRuns.finishedAt), inArray(jobRuns.functionId, functionIds));

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
  const { data = null, error = null } = "error" in step ? { error: step.error } : { data: step.data };
  // One statement: it locks the run, so that no other worker claims it between the check and the write.
  const kept = await db.execute(sql`
    with held as ${update(db, run, { attempt })}, kept as (
      insert into ${jobSteps} (run_id, key, name, data, error)
      select id, ${step.key}, ${step.name}, ${sql.param(data, jobSteps.data)}::json,
        ${sql.param(error, jobSteps.error)}::json
      from held on conflict do nothing)
    select id from held`);
  return kept.length > 0;
}

/** Keeps a sleep as a step that has ended, and puts the run back until then. False when the lease is lost. */
export async function putToSleep(run: Claim, step: StepResult, sleep: Sleep): Promise<boolean> {
  return db.transaction(async (tx) => {
    const dueAt = "ms" in sleep ? fromNow(sleep.ms) : sleep.until;
    if (!(await write(tx, run, { status: "Waiting", attempt: 0, dueAt }))) return false;
    await tx.insert(jobSteps).values({ runId: run.id, ...step });
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

const update = (connection: typeof db | Transaction, run: Claim, change: Change) =>
  connection.update(jobRuns).set(change).where(held(run)).returning({ id: jobRuns.id });

async function write(connection: typeof db | Transaction, run: Claim, change: Change): Promise<boolean> {
  return (await update(connection, run, change)).length > 0;
}

/** Whether any event waits to be fanned out, or any run has not ended: one look, or work could slip between two. */
export async function hasWork(functionIds: string[]): Promise<boolean> {
  const events = db.select().from(jobEvents).where(isNull(jobEvents.fannedOutAt));
  const runs = db.select().from(jobRuns).where(unfinished(functionIds));
  const [row] = await db.execute<{ any: boolean }>(sql`select exists ${events} or exists ${runs} as any`);
  return row?.any === true;
}
