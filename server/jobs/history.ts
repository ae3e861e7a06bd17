import { type SQL, sql } from "drizzle-orm";
import { db } from "../db/client.ts";
import { batchSize, inBatches } from "./in-batches.ts";

/**
 * For how long jobs and what belongs to them are kept, as intervals of PostgreSQL. An event's id keeps it from
 * happening twice for as long as the event is there.
 */
const kept = {
  completed: "3 days",
  /** What comes by the clock, more often than once an hour. */
  frequent: "1 hour",
  endedBadly: "30 days",
  events: "3 days",
  occurrences: "30 days",
};

/** Removes what is old, with the steps of runs, in small batches. Returns how many rows of each kind. */
export async function removeOldHistory(): Promise<{ runs: number; events: number; occurrences: number }> {
  let runs = 0;
  for (const { name, isFrequent } of await functionsWithHistory())
    runs += await removeRuns(
      sql`status = 'Completed' and function_id = ${name}
        and finished_at < now() - ${isFrequent ? kept.frequent : kept.completed}::interval`,
    );
  runs += await removeRuns(
    sql`status in ('Failed', 'Cancelled') and finished_at < now() - ${kept.endedBadly}::interval`,
  );
  return { runs, events: await removeEvents(), occurrences: await removeOccurrences() };
}

/** Whose runs have completed: a walk from one to the next on the index. */
async function functionsWithHistory() {
  return db.execute<{ name: string; isFrequent: boolean }>(sql`
    with recursive functions (name) as (
      select min(function_id) from job_runs where status = 'Completed'
      union all
      select (select min(function_id) from job_runs where status = 'Completed' and function_id > name)
      from functions where name is not null
    )
    select name, exists (
      select from job_crons where function_id = name and expression ~ '^(TZ=\\S+ +)?\\*'
    ) as "isFrequent"
    from functions where name is not null`);
}

/** An event of the clock goes with its only run: it comes once, whatever happens to its id. */
async function removeRuns(isOld: SQL): Promise<number> {
  return inBatches(async () => {
    const [row] = await db.execute<{ count: number }>(sql`
      with gone as (
        delete from job_runs where id = any(array(
          select id from job_runs where ${isOld} order by finished_at limit ${batchSize} for update skip locked))
        returning event_id
      ), events as (
        delete from job_events
        where id in (select event_id from gone) and name = 'inngest/scheduled.timer'
      )
      select count(*)::integer as count from gone`);
    return batchOf(row?.count ?? 0);
  });
}

/** Events without a run. Those of runs that are still there are passed over once, and not in every batch. */
async function removeEvents(): Promise<number> {
  let from = "-infinity";
  return inBatches(async () => {
    const [row] = await db.execute<{ count: number; last: string | null }>(sql`
      with gone as (
        delete from job_events where id = any(array(
          select id from job_events
          where fanned_out_at >= ${from}::timestamptz and fanned_out_at < now() - ${kept.events}::interval
            and not exists (select from job_runs where event_id = job_events.id)
          order by fanned_out_at limit ${batchSize} for update skip locked))
        returning fanned_out_at
      )
      select count(*)::integer as count, max(fanned_out_at)::text as last from gone`);
    from = row?.last ?? from;
    return batchOf(row?.count ?? 0);
  });
}

async function removeOccurrences(): Promise<number> {
  return inBatches(async () => {
    const gone = await db.execute(sql`
      delete from occurrences where ctid = any(array(
        select ctid from occurrences
        where created_at < now() - ${kept.occurrences}::interval and dispatched_at is not null
        order by created_at limit ${batchSize} for update skip locked))
      returning 1`);
    return batchOf(gone.length);
  });
}

const batchOf = (removed: number) => ({ removed, isLast: removed < batchSize });
