import { type SQL, sql } from "drizzle-orm";
import type { Transaction } from "../../db/client.ts";
import { successfulStatuses } from "../../subscriptions/kinds.ts";
import {
  anomalies,
  executions,
  subscriptionDay,
  subscriptionState,
  subscriptions,
} from "../../subscriptions/tables.ts";
import { tasks } from "../../tasks/tables.ts";
import type { Window } from "../window.ts";

/** A subscription with what is counted of it in a time range. Times are in milliseconds. */
export type Counts = {
  id: number;
  queryId: number;
  projectId: number;
  createdAt: number;
  isArchived: boolean;
  total: number;
  ok: number;
  anomalies: number;
  openTasks: number;
  /** The start of its latest execution, whether in the time range or not. */
  lastAt: number | null;
};

/** The state of the database that a transaction reads. */
export type Moment = {
  now: Date;
  /** Every transaction before this one had ended, so what changes afterwards has this number or a later one. */
  changesFrom: string;
  /** Numbers of transactions are only comparable within the same database of the same running server. */
  database: string;
};

export async function loadMoment(tx: Transaction): Promise<Moment> {
  const [row] = await tx.execute<{ ms: number; changesFrom: string; database: string }>(sql`
    select floor(extract(epoch from now()) * 1000)::float8 as ms,
      pg_snapshot_xmin(pg_current_snapshot())::text as "changesFrom",
      concat_ws(' ', pg_postmaster_start_time(), pg_database.oid) as database
    from pg_database where datname = current_database()`);
  if (!row) throw new Error("There is no database");
  return { now: new Date(row.ms), changesFrom: row.changesFrom, database: row.database };
}

/** The counts of every subscription that is not archived. */
export const loadAllCounts = (tx: Transaction, window: Window): Promise<Counts[]> =>
  loadCounts(tx, window, { which: sql`subscription.archived_at is null`, of: () => sql`true` });

/**
 * The counts of the subscriptions for which they may differ from those of an earlier moment: a counter, a task, or the
 * subscription itself has changed, or an execution or anomaly has left the window since then. With archived ones.
 */
export function loadChangedCounts(
  tx: Transaction,
  window: Window,
  before: { changesFrom: string; from: Date },
): Promise<Counts[]> {
  // In a restored database, numbers may be of another server's transactions, and later than any of this one's.
  const hasChanged = sql`changed >= ${before.changesFrom}::xid8 and changed < pg_snapshot_xmax(pg_current_snapshot())`;
  // A clock may be set back, too.
  const [from, to] = [before.from, window.from].toSorted((a, b) => a.getTime() - b.getTime()).map(inIso);
  const touched = sql`touched as materialized (
    select subscription_id from ${subscriptionState} where ${hasChanged}
    union select subscription_id from ${tasks} where subscription_id is not null and ${hasChanged}
    union select id from ${subscriptions} where ${hasChanged}
    union select subscription_id from ${executions} where executed_at >= ${from} and executed_at < ${to}
    union select subscription_id from ${anomalies} where detected_at >= ${from} and detected_at < ${to}
  )`;
  const isTouched = (id: SQL) => sql`${id} = any(array(select subscription_id from touched))`;
  return loadCounts(tx, window, { touched, which: isTouched(sql`subscription.id`), of: isTouched });
}

const inIso = (moment: Date) => moment.toISOString();

/** Which subscriptions are counted: a condition on them, and one on what has their id. */
type Wanted = { touched?: SQL; which: SQL; of: (subscriptionId: SQL) => SQL };

/**
 * A time range is the counter of all executions minus the counter at a midnight, adjusted by the executions between that
 * midnight and the start of the range. So the cost does not grow with history.
 */
async function loadCounts(
  tx: Transaction,
  window: Window,
  { touched, which, of }: Wanted,
): Promise<Counts[]> {
  const sign = sql`${window.isEdgeInside ? 1 : -1}::int`;
  const [from, to] = [window.edge.from, window.edge.to].map(inIso);
  // An array is one value, looked at once.
  const successful = sql`any(${`{${successfulStatuses.join(",")}}`}::execution_status[])`;
  const ms = (moment: SQL) => sql`floor(extract(epoch from ${moment}) * 1000)::float8`;
  const minusEarlier = (column: SQL, edge: SQL) =>
    sql`(coalesce(state.${column}, 0) - coalesce(earlier.${column}, 0) + ${sign} * coalesce(${edge}, 0))::int`;
  return [
    ...(await tx.execute<Counts>(sql`
      with ${touched ? sql`${touched},` : sql``}
      edge as (
        select subscription_id, count(*) as total, count(*) filter (where status = ${successful}) as ok
        from ${executions}
        where ${of(sql`subscription_id`)} and executed_at >= ${from} and executed_at < ${to}
        group by subscription_id
      ),
      unusual as (
        select subscription_id, count(*) as total from ${anomalies}
        where ${of(sql`subscription_id`)} and detected_at >= ${from} and detected_at < ${to}
        group by subscription_id
      )
      select subscription.id, subscription.query_id as "queryId", subscription.project_id as "projectId",
        ${ms(sql`subscription.created_at`)} as "createdAt", subscription.archived_at is not null as "isArchived",
        ${minusEarlier(sql`total`, sql`edge.total`)} as total, ${minusEarlier(sql`ok`, sql`edge.ok`)} as ok,
        ${minusEarlier(sql`anomalies`, sql`unusual.total`)} as anomalies,
        (open.subscription_id is not null)::int as "openTasks", ${ms(sql`state.last_at`)} as "lastAt"
      from ${subscriptions} as subscription
      left join ${subscriptionState} as state on state.subscription_id = subscription.id
      left join ${tasks} as open on open.subscription_id = subscription.id and open.status = 'Open'
      left join edge on edge.subscription_id = subscription.id
      left join unusual on unusual.subscription_id = subscription.id
      left join lateral (
        select total, ok, anomalies from ${subscriptionDay} as day
        where day.subscription_id = subscription.id and day.day <= ${window.countedTo}
        order by day.day desc limit 1
      ) as earlier on true
      where ${which}`)),
  ];
}
