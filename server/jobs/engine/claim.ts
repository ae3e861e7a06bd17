import { asc, inArray, sql } from "drizzle-orm";
import type { TransactionSql } from "postgres";
import { sql as client, db } from "../../db/client.ts";
import { runPrepared } from "../../db/prepared.ts";
import { jobSteps } from "../tables.ts";
import type { ClaimedRun } from "./runs.ts";
import type { JobFunction } from "./supported.ts";

/**
 * Selects due runs for a worker so that none starve.
 *
 * Runs that share a limit (`concurrency`) never exceed it across all processes: those with a live lease count. Claims
 * run one at a time, so that two of them cannot both take the last place. A data source that hangs thus only delays its
 * own runs. Runs of crons go first: they are short, few, and everything else depends on them. Runs with a limit, which
 * wait for external databases, leave room for the others.
 */

export type Claimable = Pick<JobFunction, "id" | "crons" | "concurrency">;

/** The number of runs: in total, and of those with a limit. */
export type Room = { all: number; keyed: number };

export type Claimed = {
  runs: ClaimedRun[];
  /**
   * Milliseconds until the next run is due or a lease ends; null if nothing is pending or there is no room. If there is
   * only room for runs without a limit, this is a short fixed delay instead: the end of any run with a limit makes the
   * worker look again anyway.
   */
  nextDueMs: number | null;
};

/** When to poll again for runs without a limit while there is no room for the others. */
export const crowdedMs = 250;

/** Claims due runs of the functions that this process has; taking over a dead worker's run counts as a try. */
export async function claimRuns(
  functions: readonly Claimable[],
  room: Room,
  leaseMs: number,
): Promise<Claimed> {
  const { taken, nextDueMs } = await client.begin(async (tx) => {
    // The timeout releases the lock if this process is suspended midway. No sequential scans and no sorting where an
    // index has the order, because a plan that was made while there were few jobs is kept, and must suit many.
    const turn = tx`
      select pg_advisory_xact_lock(hashtextextended('claims of jobs', 0)),
        set_config('idle_in_transaction_session_timeout', '5s', true),
        set_config('enable_seqscan', 'off', true), set_config('enable_sort', 'off', true)`.execute();
    // Sent along; the server executes it once this transaction has the lock.
    const [, taken] = await Promise.all([turn, takeDue(tx, functions, room, leaseMs)]);
    if (taken.length === room.all) return { taken, nextDueMs: null };
    const keyed = taken.filter((run) => run.isKeyed).length;
    // Uses the same clock, which is fixed within a transaction: nothing becomes due between the two queries.
    const nextDueMs = keyed === room.keyed ? crowdedMs : await untilNext(tx, functions);
    return { taken, nextDueMs };
  });
  return { runs: await withSteps(taken), nextDueMs };
}

type Taken = Omit<ClaimedRun, "steps">;

/** The keys of unfinished runs: a skip scan over the index, however many runs each has. */
const keys = sql`keys (function_id, key) as (
  (select function_id, concurrency_key from job_runs
   where finished_at is null and concurrency_key is not null
   order by function_id, concurrency_key limit 1)
  union all
  select next.* from keys cross join lateral (
    select function_id, concurrency_key from job_runs
    where finished_at is null and concurrency_key is not null
      and (function_id, concurrency_key) > (keys.function_id, keys.key)
    order by function_id, concurrency_key limit 1) next
)`;

const texts = (values: string[]) => sql`${sql.param(values)}::text[]`;

async function takeDue(
  tx: TransactionSql,
  functions: readonly Claimable[],
  room: Room,
  leaseMs: number,
): Promise<Taken[]> {
  const ids = texts(functions.map((fn) => fn.id));
  const urgent = texts(functions.filter((fn) => fn.crons.length > 0).map((fn) => fn.id));
  const limits = functions.flatMap(({ id, concurrency }) => (concurrency ? [{ id, ...concurrency }] : []));
  const maxLimit = Math.max(...limits.map(({ limit }) => limit), 1);
  const mine = sql`from job_runs where finished_at is null and concurrency_key is null and due_at <= now()`;
  return runPrepared<Taken>(
    sql`
    with recursive ${keys},
    limits (function_id, max_runs) as (
      select * from unnest(
        ${texts(limits.map(({ id }) => id))},
        ${sql.param(limits.map(({ limit }) => limit))}::integer[])
    ),
    urgent as (
      select id, due_at ${mine} and function_id = any(${urgent}) order by due_at, id limit ${room.all}
    ),
    unkeyed as (
      select id, due_at ${mine} and function_id = any(${ids}) and not function_id = any(${urgent})
      order by due_at, id limit ${room.all}
    ),
    keyed as (
      select due.id, due.due_at
      from keys
      left join limits using (function_id)
      cross join lateral (
        select count(*) as count from (
          select from job_runs run
          where run.function_id = keys.function_id and run.concurrency_key = keys.key
            and run.finished_at is null and run.due_at > now() and run.status = 'Running'
          order by due_at, id limit ${maxLimit}) run) running
      cross join lateral (
        select id, due_at, row_number() over (order by due_at, id) as place from (
          select id, due_at from job_runs run
          where run.function_id = keys.function_id and run.concurrency_key = keys.key
            and run.finished_at is null and run.due_at <= now()
          order by due_at, id limit ${maxLimit}) first) due
      where keys.function_id = any(${ids}) and due.place <= coalesce(limits.max_runs, ${maxLimit}) - running.count
      order by due.due_at, due.id limit ${room.keyed}
    ),
    first as (
      select id from (
        select id, due_at, 0 as turn from urgent
        union all select id, due_at, 1 from unkeyed
        union all select id, due_at, 1 from keyed) candidate
      order by turn, due_at, id limit ${room.all}
    ),
    taken as (
      update job_runs set
        status = 'Running',
        fence = fence + 1,
        attempt = attempt + (status = 'Running')::integer,
        due_at = now() + ${leaseMs} * interval '1 millisecond',
        started_at = coalesce(started_at, now())
      -- Arrays, so that the rows are locked once. Who holds one of them is about to end it, or to put it off.
      where id = any(array(
        select id from job_runs
        where id = any(array(select id from first)) and finished_at is null and due_at <= now()
        for update skip locked))
      returning id, fence, function_id, attempt, event_id, concurrency_key is not null as is_keyed
    )
    select taken.id, fence, function_id as "functionId", attempt, is_keyed as "isKeyed",
      json_build_object('id', event.key, 'name', event.name, 'data', event.data,
        'ts', floor(extract(epoch from event.occurred_at) * 1000)) as event
    from taken join job_events event on event.id = taken.event_id
    -- Also as an array, so that it is never all events that are joined.
    where event.id = any(array(select event_id from taken))`,
    tx,
  );
}

async function untilNext(tx: TransactionSql, functions: readonly Claimable[]): Promise<number | null> {
  const ids = texts(functions.map((fn) => fn.id));
  const [row] = await runPrepared<{ ms: number | null }>(
    sql`
    with recursive ${keys}
    select (extract(epoch from least(
      (select min(due_at) from job_runs
       where finished_at is null and concurrency_key is null and due_at > now() and function_id = any(${ids})),
      (select min(next.due_at) from keys cross join lateral (
        select due_at from job_runs run
        where run.function_id = keys.function_id and run.concurrency_key = keys.key
          and run.finished_at is null and run.due_at > now()
        order by due_at limit 1) next
       where keys.function_id = any(${ids}))
    ) - clock_timestamp()) * 1000)::float8 as ms`,
    tx,
  );
  return row?.ms ?? null;
}

/** With their step results; a run that is claimed for the first time has none. */
async function withSteps(taken: readonly Taken[]): Promise<ClaimedRun[]> {
  const begun = taken.filter((run) => run.fence > 1).map((run) => run.id);
  const steps =
    begun.length === 0
      ? []
      : await db.select().from(jobSteps).where(inArray(jobSteps.runId, begun)).orderBy(asc(jobSteps.id));
  return taken.map((run) => ({
    ...run,
    steps: new Map(
      steps
        .filter((step) => step.runId === run.id)
        .map((step) => [step.key, step.error ? { error: step.error } : { data: step.data }]),
    ),
  }));
}
