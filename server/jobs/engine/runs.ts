import { and, eq, inArray, isNull, or, sql } from "drizzle-orm";
import { db, type Transaction } from "../../db/client.ts";
import { wakeWorkers } from "../client.ts";
import { type JobError, jobEvents, jobRuns, jobSteps } from "../tables.ts";
import type { Call } from "./protocol.ts";

/**
 * Updates a run in the database, from a worker's claim (claim.ts) to its end.
 *
 * A claim is a lease: until it expires, no other worker takes the run, and its worker keeps renewing it. Every claim
 * increments the run's fence, and every write checks the fence of its claim. So a worker that was presumed dead and
 * resumes changes nothing: its writes return false, and it stops.
 */

export type Claim = { id: number; fence: number };
export type ClaimedRun = Claim &
  Pick<Call, "functionId" | "event" | "steps" | "attempt"> & {
    /** Whether it has a concurrency limit. */
    isKeyed: boolean;
  };

/** How a step ended for good: what it returned, or the error with which it failed permanently. */
export type StepResult = { key: string; name: string } & ({ data: unknown } | { error: JobError });

const milliseconds = (ms: number) => sql`${ms} * interval '1 millisecond'`;
const fromNow = (ms: number) => sql`now() + ${milliseconds(ms)}`;

const held = ({ id, fence }: Claim) =>
  and(eq(jobRuns.id, id), eq(jobRuns.fence, fence), eq(jobRuns.status, "Running"));

const unfinished = (functionIds: string[]) =>
  and(isNull(jobRuns.finishedAt), inArray(jobRuns.functionId, functionIds));

/** Renews leases; returns the ids of those that are still held. */
export async function renewLeases(claims: Claim[], leaseMs: number): Promise<Set<number>> {
  if (claims.length === 0) return new Set();
  const renewed = await db
    .update(jobRuns)
    .set({ dueAt: fromNow(leaseMs) })
    .where(or(...claims.map(held)))
    .returning({ id: jobRuns.id });
  return new Set(renewed.map((run) => run.id));
}

/** Stores a step's result; the next step begins with its first try. False if the lease is lost. */
export async function keepStep(run: Claim, step: StepResult): Promise<boolean> {
  return keepWith(run, step, { attempt: 0 });
}

/** In one statement: it locks the run, so that no other worker claims it between the check and the write. */
async function keepWith(run: Claim, step: StepResult, change: Change): Promise<boolean> {
  const { data = null, error = null } = "error" in step ? { error: step.error } : { data: step.data };
  const kept = await db.execute(sql`
    with held as ${update(db, run, change)}, kept as (
      insert into ${jobSteps} (run_id, key, name, data, error)
      select id, ${step.key}, ${step.name}, ${sql.param(data, jobSteps.data)}::json,
        ${sql.param(error, jobSteps.error)}::json
      from held on conflict do nothing)
    select id from held`);
  return kept.length > 0;
}

/** Ends a run that has returned, and stores its last step, unless that is stored already. False if the lease is lost. */
export async function completeRun(run: Claim, last: StepResult | null = null): Promise<boolean> {
  const completed = { status: "Completed" as const, finishedAt: sql`now()` };
  if (!last) return write(db, run, completed);
  return keepWith(run, last, { ...completed, attempt: 0 });
}

/** Schedules a run's next try. */
export async function retryRun(
  run: Claim,
  attempt: number,
  delayMs: number,
  error: string,
): Promise<boolean> {
  return write(db, run, { status: "Waiting", attempt, dueAt: fromNow(delayMs), error });
}

/** Ends a run permanently. */
export async function failRun(run: ClaimedRun, error: string): Promise<boolean> {
  return write(db, run, { status: "Failed", finishedAt: sql`now()`, error });
}

/** Releases an unfinished run, so that another worker can continue it immediately. */
export async function releaseRun(run: Claim): Promise<boolean> {
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

/**
 * Whether any event is pending or any run is unfinished: in one query, since work could move from one to the other
 * between two.
 */
export async function hasWork(functionIds: string[]): Promise<boolean> {
  const events = db.select().from(jobEvents).where(isNull(jobEvents.fannedOutAt));
  const runs = db.select().from(jobRuns).where(unfinished(functionIds));
  const [row] = await db.execute<{ has_work: boolean }>(
    sql`select exists ${events} or exists ${runs} as has_work`,
  );
  return row?.has_work === true;
}
