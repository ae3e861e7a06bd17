import { sql } from "drizzle-orm";
import { db } from "../../db/client.ts";
import { env } from "../../env.ts";
import { batchSize, inBatches } from "../../jobs/in-batches.ts";
import { countedDays, shownExecutions } from "../limits.ts";

/**
 * Removes old executions. Counters are not touched, so health and statistics stay the same. The newest executions of
 * each subscription are kept whatever their age: its last run and the ones in its details.
 *
 * Each statement looks at a batch of rows by age, starting where the previous one ended, so kept rows are scanned only
 * once. It skips locked rows: neither side waits for the other.
 */

type Batch = { seen: number; removed: number; at: string | null; id: number | null };

async function walk(
  batch: (after: { at: string; id: number }) => Promise<Batch | undefined>,
  limitMs?: number,
) {
  let after = { at: "-infinity", id: 0 };
  return inBatches(async () => {
    const found = await batch(after);
    if (!found || found.at === null || found.id === null) return { removed: 0, isLast: true };
    after = { at: found.at, id: found.id };
    return { removed: found.removed, isLast: found.seen < batchSize };
  }, limitMs);
}

/**
 * Removes finished executions that began more than the given number of days ago, with their anomalies; null removes
 * none. Stops at the time limit in milliseconds, if given. Returns how many were removed.
 */
export async function removeOldExecutions(
  days = env().EXECUTIONS_KEPT_DAYS,
  limitMs?: number,
): Promise<number> {
  if (days === null) return 0;
  return walk(async (after) => {
    const [found] = await db.execute<Batch>(sql`
      with seen as materialized (
        select id, subscription_id, executed_at from executions
        where executed_at < now() - ${days} * interval '1 day'
          and (executed_at, subscription_id) > (${after.at}::timestamptz, ${after.id})
        order by executed_at, subscription_id fetch first (${batchSize}) rows with ties
      ),
      chosen as materialized (
        select id from executions old
        where id = any(array(select id from seen)) and status <> 'Created' and (
          select count(*) from (
            select from executions newer
            where newer.subscription_id = old.subscription_id
              and (newer.executed_at, newer.id) > (old.executed_at, old.id)
            order by newer.executed_at desc, newer.id desc limit ${shownExecutions}) as newest) = ${shownExecutions}
        for update skip locked
      ),
      judged as (delete from anomalies where execution_id = any(array(select id from chosen))),
      gone as (delete from executions where id = any(array(select id from chosen)) returning 1)
      select (select count(*)::int from seen) as seen, (select count(*)::int from gone) as removed,
        (select executed_at::text from seen order by executed_at desc, subscription_id desc limit 1) as at,
        (select subscription_id from seen order by executed_at desc, subscription_id desc limit 1) as id`);
    return found;
  }, limitMs);
}

/** Removes kept rows older than the given number of days. Returns how many executions had some. */
export async function removeOldRows(days = env().SAMPLES_KEPT_DAYS): Promise<number> {
  return inBatches(async () => {
    const gone = await db.execute(sql`
      delete from execution_rows where ctid = any(array(
        select ctid from execution_rows
        where kept_at < now() - ${days} * interval '1 day'
        order by kept_at limit ${batchSize} for update skip locked))
      returning 1`);
    return { removed: gone.length, isLast: gone.length < batchSize };
  });
}

/**
 * Removes daily counts older than any window. The last of them is kept per subscription: the totals at the start of the
 * windows. Returns how many were removed.
 */
export async function removeOldCounts(): Promise<number> {
  const limit = sql`((now() at time zone 'UTC')::date - ${countedDays}::int)`;
  return walk(async (after) => {
    const [found] = await db.execute<Batch>(sql`
      with seen as materialized (
        select subscription_id, day, ctid as place from subscription_day
        where day < ${limit} and (day, subscription_id) > (${after.at}::date, ${after.id})
        order by day, subscription_id limit ${batchSize}
      ),
      gone as (
        delete from subscription_day where ctid = any(array(
          select ctid from subscription_day old
          where ctid = any(array(select place from seen)) and day < (
            select max(later.day) from subscription_day later
            where later.subscription_id = old.subscription_id and later.day <= ${limit})
          for update skip locked))
        returning 1
      )
      select (select count(*)::int from seen) as seen, (select count(*)::int from gone) as removed,
        (select day::text from seen order by day desc, subscription_id desc limit 1) as at,
        (select subscription_id from seen order by day desc, subscription_id desc limit 1) as id`);
    return found;
  });
}
