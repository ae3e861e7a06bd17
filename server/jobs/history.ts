import { type SQL, sql } from "drizzle-orm";
import { db } from "../db/client.ts";
import { batchSize, inBatches } from "./in-batches.ts";

/**
 * How long jobs and related rows are kept, as PostgreSQL intervals. An event's id prevents duplicates for as long as
 * the event exists.
 */
const kept = {
  completed: "3 days",
  /** Functions triggered by cron more than once an hour. */
  frequent: "1 hour",
  endedBadly: "30 days",
  events: "3 days",
  occurrences: "30 days",
};

/** Removes old rows, including steps of runs, in small batches. Returns how many rows of each kind. */
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

/** The functions with completed runs: a skip scan over the index. */
async function functionsWithHistory() {
  return db.execute<{ name: string; isFrequent: boolean }>(sql`
    with recursive functions (name) as (
      select min(function_id) from job_runs where status = 'Completed'
      union all
      select (select min(function_id) from job_runs where status = 'Completed' and function_id > name)
      from functions where name is not null
    )
    select name, exists (
      select from job_crons where function_id = name and expression like '*%'
    ) as "isFrequent"
    from functions where name is not null`);
}

/** A cron's event is removed with its only run; nothing sends it again, so its id is no longer needed. */
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

/** Events without a run. Those with runs are scanned only once, not in every batch. */
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
