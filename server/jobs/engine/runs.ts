import { and, eq, inArray, isNull, type Placeholder, sql } from "drizzle-orm";
import { db, groupDb, type Transaction } from "../../db/client.ts";
import { compiledStatement } from "../../db/compiled.ts";
import { anyOf, gathered } from "../../db/gathered.ts";
import { wakeWorkers } from "../client.ts";
import { type JobError, jobEvents, jobRuns } from "../tables.ts";
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
export async function renewLeases(claims: readonly Claim[], leaseMs: number): Promise<Set<number>> {
  if (claims.length === 0) return new Set();
  const renewed = await db.execute<{ id: number }>(sql`
    with given as (${rowsOf(JSON.stringify(claims.map(({ id, fence }) => ({ id, fence }))))} as given (id integer, fence integer)),
    ${lockHeld}
    update job_runs set due_at = ${fromNow(leaseMs)} from held where job_runs.id = held.id returning job_runs.id`);
  return new Set(renewed.map((run) => run.id));
}

const rowsOf = (json: string | Placeholder) => sql`select * from json_to_recordset(${json}::json)`;

/** Those that are still held, locked in a fixed order, so that statements about several never wait in a circle. */
const lockHeld = sql`held as materialized (
    select job_runs.id, job_runs.fence from job_runs join given using (id, fence)
    where job_runs.id = ${anyOf("given", "id")} and job_runs.status = 'Running'
    order by job_runs.id for update of job_runs
  )`;

/** Stores a step's result; the next step begins with its first try. False if the lease is lost. */
export async function keepStep(run: Claim, step: StepResult): Promise<boolean> {
  return advance({ run, step, isOver: false });
}

/** Ends a run that has returned, and stores its last step, unless that is stored already. False if the lease is lost. */
export async function completeRun(run: Claim, last: StepResult | null = null): Promise<boolean> {
  return advance({ run, step: last, isOver: true });
}

type Advance = { run: Claim; step: StepResult | null; isOver: boolean };

/** One statement: it locks the runs, so that no other worker claims them between the check and the write. */
const advance = gathered(async (all: readonly Advance[]) => {
  const given = all.map(({ run: { id, fence }, step, isOver }) => ({
    ...{ id, fence, is_over: isOver },
    ...(step && { key: step.key, name: step.name, ...textOf(step) }),
  }));
  const held = await writeAdvances({ given: JSON.stringify(given) });
  const keys = new Set(held.map(({ id, fence }) => `${id}/${fence}`));
  return all.map(({ run: { id, fence } }) => keys.has(`${id}/${fence}`));
});

const writeAdvances = compiledStatement<Claim, { given: string }>(
  groupDb,
  () => sql`
    with given as (${rowsOf(sql.placeholder("given"))} as given (
      id integer, fence integer, is_over boolean, key text, name text, data text, error text)),
    ${lockHeld},
    kept as (
      insert into job_steps (run_id, key, name, data, error)
      select id, key, name, data::json, error::json from given join held using (id, fence) where key is not null
      on conflict do nothing
    )
    update job_runs set
      attempt = case when given.key is null then attempt else 0 end,
      status = case when given.is_over then 'Completed' else status end,
      finished_at = case when given.is_over then now() else finished_at end
    from given join held using (id, fence)
    where job_runs.id = given.id and job_runs.id = ${anyOf("held", "id")}
    returning job_runs.id, job_runs.fence`,
);

/** As text within JSON, so that PostgreSQL does not look for what it could not store as text, such as NUL. */
const textOf = (step: StepResult) =>
  "error" in step ? { error: JSON.stringify(step.error) } : { data: JSON.stringify(step.data ?? null) };

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
 * Whether any event is pending or any run is due, which is far less work for the database than to claim them; and the time by its
 * clock, in milliseconds since 1970.
 */
export async function isAnythingDue(functionIds: string[]): Promise<{ isDue: boolean; now: number }> {
  const [row] = await db.execute<{ is_due: boolean; now: number }>(sql`
    select exists (select from ${jobEvents} where ${isNull(jobEvents.fannedOutAt)})
      or exists (select from ${jobRuns} where ${unfinished(functionIds)} and ${jobRuns.dueAt} <= now()) as is_due,
      (extract(epoch from now()) * 1000)::float8 as now`);
  return { isDue: row?.is_due === true, now: row?.now ?? Number.NaN };
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
