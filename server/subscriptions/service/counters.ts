import { type SQL, sql } from "drizzle-orm";
import type { Transaction } from "../../db/client.ts";
import { inOneGo } from "../../db/in-one-go.ts";
import { type ExecutionStatus, successfulStatuses } from "../kinds.ts";
import { anomalies, executions, subscriptionDay, subscriptionState, subscriptions } from "../tables.ts";

/**
 * Control Tower's counters, updated in each execution's transaction: `subscription_state` holds the total number of
 * executions, of successful ones, and of their anomalies; `subscription_day` the same totals at the end of each UTC
 * day. A time window is the difference of two totals, so its cost does not grow with history.
 */

export const isSuccessful = (status: ExecutionStatus) =>
  successfulStatuses.some((successful) => successful === status);

type Counted = { id: number; subscriptionId: number; status: ExecutionStatus; executedAt: Date };

/**
 * Counts inserted executions, each of another subscription. Locks the subscriptions' counters for the rest of the
 * transaction. An execution that arrives late (it began before others) also counts toward the days since.
 */
export async function countExecutions(tx: Transaction, all: readonly Counted[]): Promise<void> {
  const given = sql`json_to_recordset(${JSON.stringify(
    all.map(({ id, subscriptionId, status, executedAt }) => ({
      ...{ id, subscription_id: subscriptionId, status, ok: isSuccessful(status) ? 1 : 0, at: executedAt },
    })),
  )}::json) as given (id integer, subscription_id integer, status execution_status, ok integer, at timestamptz)`;
  const isNewest = sql`(${subscriptionState.lastAt} is null or (${subscriptionState.lastAt}, ${subscriptionState.lastExecutionId}) < (excluded.last_at, excluded.last_execution_id))`;
  const total = tx.execute(sql`
    insert into ${subscriptionState} (subscription_id, total, ok, last_execution_id, last_status, last_at)
    select subscription_id, 1, ok, id, status, at from ${given} order by subscription_id
    on conflict (subscription_id) do update set
      total = ${subscriptionState.total} + 1,
      ok = ${subscriptionState.ok} + excluded.ok,
      last_execution_id = case when ${isNewest} then excluded.last_execution_id else ${subscriptionState.lastExecutionId} end,
      last_status = case when ${isNewest} then excluded.last_status else ${subscriptionState.lastStatus} end,
      last_at = greatest(${subscriptionState.lastAt}, excluded.last_at)`);
  const days = tx.execute(sql`
    update ${subscriptionDay} set total = ${subscriptionDay.total} + 1, ok = ${subscriptionDay.ok} + given.ok
    from ${given}
    where ${subscriptionDay.subscriptionId} = given.subscription_id
      and ${subscriptionDay.day} >= (given.at at time zone 'UTC')::date`);
  // Each sees what was committed before it began, and once the first has its locks, nobody else counts these subscriptions.
  await inOneGo(total, beginDays(tx, given), days);
}

/** Counts an inserted anomaly of a counted execution. What is counted of an anomaly never changes afterwards. */
export async function countAnomaly(
  tx: Transaction,
  { subscriptionId, detectedAt }: { subscriptionId: number; detectedAt: Date },
): Promise<void> {
  const at = detectedAt.toISOString();
  await inOneGo(
    tx.execute(sql`
      update ${subscriptionState} set anomalies = anomalies + 1 where subscription_id = ${subscriptionId}`),
    beginDays(
      tx,
      sql`(values (${subscriptionId}::integer, ${at}::timestamptz)) as given (subscription_id, at)`,
    ),
    tx.execute(sql`
      update ${subscriptionDay} set anomalies = anomalies + 1
      where subscription_id = ${subscriptionId} and day >= (${at}::timestamptz at time zone 'UTC')::date`),
  );
}

/** Counts changes of status, each of another subscription's execution, which is given as it was before. */
export async function countStatuses(
  tx: Transaction,
  all: readonly { before: Counted; status: ExecutionStatus }[],
): Promise<void> {
  const changes = all.map(({ before: { id, subscriptionId, executedAt, ...before }, status }) => ({
    ...{ id, subscription_id: subscriptionId, status, at: executedAt },
    ok: Number(isSuccessful(status)) - Number(isSuccessful(before.status)),
  }));
  const given = sql`json_to_recordset(${JSON.stringify(changes)}::json) as given (
    id integer, subscription_id integer, status execution_status, ok integer, at timestamptz)`;
  const total = tx.execute(sql`
    update ${subscriptionState} set
      ok = ${subscriptionState.ok} + given.ok,
      last_status = case when last_execution_id = given.id then given.status else last_status end
    from ${given} where ${subscriptionState.subscriptionId} = given.subscription_id`);
  const days = tx.execute(sql`
    update ${subscriptionDay} set ok = ${subscriptionDay.ok} + given.ok
    from ${given}
    where ${subscriptionDay.subscriptionId} = given.subscription_id
      and ${subscriptionDay.day} >= (given.at at time zone 'UTC')::date`);
  await inOneGo(total, ...(changes.some(({ ok }) => ok !== 0) ? [days] : []));
}

/**
 * Recounts every subscription from its executions and anomalies, which repairs wrong counters. Returns the number of
 * executions and of subscriptions.
 */
export async function rebuildCounters(
  tx: Transaction,
): Promise<{ subscriptions: number; executions: number }> {
  await tx.execute(sql`lock table ${subscriptionState}, ${subscriptionDay} in exclusive mode`);
  await tx.execute(sql`delete from ${subscriptionDay}`);
  // Kept, not deleted, so that processes which know the counts see that they have changed.
  await tx.execute(sql`
    update ${subscriptionState} set
      total = 0, ok = 0, anomalies = 0, last_execution_id = null, last_status = null, last_at = null`);
  const [range] = await tx.execute<{ first: string | null; days: number }>(sql`
    select min(first)::text as first, max(last) - min(first) + 1 as days from (
      select (min(executed_at) at time zone 'UTC')::date as first, (max(executed_at) at time zone 'UTC')::date as last
      from ${executions}
      union all
      select (min(detected_at) at time zone 'UTC')::date, (max(detected_at) at time zone 'UTC')::date from ${anomalies}
    ) as each`);
  for (let n = 0; range?.first && n < range.days; n++)
    await countDay(tx, sql`(${range.first}::date + ${n}::int)`);
  await tx.execute(sql`
    insert into ${subscriptionState} (subscription_id, total, ok, anomalies, last_execution_id, last_status, last_at)
    select subscription.id, counted.total, counted.ok, counted.anomalies, last.id, last.status, last.executed_at
    from ${subscriptions} as subscription
    cross join lateral (
      select total, ok, anomalies from ${subscriptionDay} as day
      where day.subscription_id = subscription.id order by day desc limit 1
    ) as counted
    cross join lateral (
      select id, status, executed_at from ${executions} as execution
      where execution.subscription_id = subscription.id order by executed_at desc, id desc limit 1
    ) as last
    on conflict (subscription_id) do update set
      total = excluded.total, ok = excluded.ok, anomalies = excluded.anomalies,
      last_execution_id = excluded.last_execution_id, last_status = excluded.last_status, last_at = excluded.last_at`);
  const [counted] = await tx.execute<{ subscriptions: number; executions: number }>(sql`
    select count(*)::int as subscriptions, coalesce(sum(total), 0)::int as executions from ${subscriptionState}
    where total > 0 or anomalies > 0`);
  return counted ?? { subscriptions: 0, executions: 0 };
}

/**
 * Counts all executions and anomalies of a day, after those of the days before. A day at a time needs as little memory as a day has
 * executions: all at once need temporary files, more than the embedded PostgreSQL allows for tens of millions.
 */
async function countDay(tx: Transaction, day: SQL): Promise<void> {
  const from = sql`${day}::timestamp at time zone 'UTC'`;
  const to = sql`(${day} + 1)::timestamp at time zone 'UTC'`;
  const successful = sql`status in (${sql.join(
    successfulStatuses.map((status) => sql`${status}`),
    sql`, `,
  )})`;
  await tx.execute(sql`
    insert into ${subscriptionDay} (subscription_id, day, total, ok, anomalies)
    select subscription_id, ${day}, sum(each.total) + coalesce(max(before.total), 0),
      sum(each.ok) + coalesce(max(before.ok), 0), sum(each.anomalies) + coalesce(max(before.anomalies), 0)
    from (
      select subscription_id, count(*) as total, count(*) filter (where ${successful}) as ok, 0 as anomalies
      from ${executions} where executed_at >= ${from} and executed_at < ${to} group by 1
      union all
      select subscription_id, 0, 0, count(*)
      from ${anomalies} where detected_at >= ${from} and detected_at < ${to} group by 1
    ) as each
    left join lateral (
      select total, ok, anomalies from ${subscriptionDay} as earlier
      where earlier.subscription_id = each.subscription_id and earlier.day < ${day}
      order by earlier.day desc limit 1
    ) as before on true
    group by subscription_id
    order by subscription_id`);
}

/** A day starts with the totals of the previous one, unless it exists already. `given` has subscriptions and times. */
const beginDays = (tx: Transaction, given: SQL) =>
  tx.execute(sql`
    insert into ${subscriptionDay} (subscription_id, day, total, ok, anomalies)
    select begun.subscription_id, begun.day, coalesce(before.total, 0), coalesce(before.ok, 0), coalesce(before.anomalies, 0)
    from (select subscription_id, (at at time zone 'UTC')::date as day from ${given}) as begun
    left join lateral (
      select total, ok, anomalies from ${subscriptionDay} as earlier
      where earlier.subscription_id = begun.subscription_id and earlier.day < begun.day
      order by earlier.day desc limit 1) as before on true
    order by begun.subscription_id
    on conflict do nothing`);
