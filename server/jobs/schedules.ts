import { and, asc, eq, getTableName, gt, isNotNull, isNull, lte, notExists, sql } from "drizzle-orm";
import { alias, integer, type PgColumn, type PgTable, pgTable, text, timestamp } from "drizzle-orm/pg-core";
import { cron } from "inngest";
import { type Connection, db, groupDb, type Transaction } from "../db/client.ts";
import { compiledStatement } from "../db/compiled.ts";
import { gathered } from "../db/gathered.ts";
import { ifJobAfterRequests } from "../requests-first.ts";
import { log } from "../telemetry/log.ts";
import { type Event, inngest, sendEvents } from "./client.ts";
import { nextRun } from "./cron.ts";
import { cronRetries } from "./retries.ts";
import { occurrences } from "./tables.ts";

/**
 * Cron schedules defined by users: contracts, subscriptions. Inngest only supports crons declared in code, so one
 * function ticks every minute and finds due rows in the database.
 *
 * A tick claims the due rows, inserts an occurrence for each, and advances its `next_run_at` past the database's
 * current time, all in one transaction: whatever the number of ticks and processes, an occurrence is created once, and
 * missed times collapse into one. Then it sends an event for every unsent occurrence, including those of earlier ticks.
 */

/** One due time of a scheduled object. */
export type Occurrence = { objectId: number; scheduledFor: Date };

/** A table with a cron per row; `nextRunAt` is null while the row's schedule is off. */
type ScheduledTable = PgTable & Record<"id" | "cronExpression" | "timezone" | "nextRunAt", PgColumn>;

export type Schedule = {
  kind: string;
  rows: ReturnType<typeof scheduledRows>;
  sources: SourcesOf | null;
  event: (due: Due) => Event;
};

/** The input of an occurrence's event; `dataSourceId` is null if there is none or it is unspecified. */
type Due = Occurrence & { dataSourceId: number | null };

/** The data source that each object waits for, looked up when it is due. */
type SourcesOf = (connection: Connection, objectIds: readonly number[]) => Promise<Map<number, number>>;

/**
 * The table with only the columns that schedules need. Columns are named explicitly: Drizzle caches derived names by
 * table, and would treat these four as all columns.
 */
function scheduledRows(name: string) {
  return pgTable(name, {
    id: integer("id").primaryKey(),
    cronExpression: text("cron_expression").notNull(),
    timezone: text("timezone").notNull(),
    nextRunAt: timestamp("next_run_at", { withTimezone: true, mode: "date", precision: 3 }),
  });
}

/**
 * Schedules the rows of a table by cron. `kind` permanently identifies their occurrences; `event` creates an
 * occurrence's event (its id is set here). `sources` looks up the data sources that they wait for, so that the
 * function can limit concurrency per data source.
 */
export function defineSchedule(schedule: {
  kind: string;
  table: ScheduledTable;
  sources?: SourcesOf;
  event: (due: Due) => Event;
}): Schedule {
  const { kind, table, sources = null, event } = schedule;
  return { kind, rows: scheduledRows(getTableName(table)), sources, event };
}

/** Creates the function that ticks; server/job-functions.ts passes in the domains' schedules. */
export function scheduleTick(schedules: Schedule[]) {
  return inngest.createFunction(
    // If a tick fails, the next one catches up.
    { id: "schedule-tick", triggers: cron("* * * * *"), retries: cronRetries },
    async () => {
      const failed: string[] = [];
      for (const schedule of schedules) {
        try {
          await runDue(schedule);
        } catch (err) {
          log.error({ err, kind: schedule.kind }, "A schedule could not be read");
          failed.push(schedule.kind);
        }
      }
      if (failed.length > 0) throw new Error(`Schedules that could not be read: ${failed.join(", ")}`);
    },
  );
}

/** The number of rows per transaction. */
const batch = 250;

/** Handles all due rows of one schedule. Returns how many occurrences it sent. */
export async function runDue(schedule: Schedule): Promise<number> {
  while ((await db.transaction(async (tx) => claimDue(tx, schedule, await databaseNow(tx)))) === batch)
    await ifJobAfterRequests();
  let sent = 0;
  for (let last = batch; last === batch; sent += last) {
    await ifJobAfterRequests();
    last = await db.transaction((tx) => dispatchOccurrences(tx, schedule));
  }
  return sent;
}

/**
 * Turns a batch of due rows into occurrences and advances their schedules past the given time, which is the database's
 * except in benchmarks. Returns how many.
 */
export async function claimDue(tx: Transaction, { kind, rows }: Schedule, now: Date): Promise<number> {
  const due = await tx
    .select()
    .from(rows)
    .where(lte(rows.nextRunAt, now))
    .orderBy(asc(rows.nextRunAt))
    .limit(batch)
    .for("update", { skipLocked: true });
  const claimed = due.flatMap(({ id, cronExpression, timezone, nextRunAt }) =>
    nextRunAt === null
      ? []
      : { id, scheduledFor: nextRunAt, next: nextRunOrNull(kind, id, cronExpression, timezone, now) },
  );
  if (claimed.length === 0) return 0;
  const ids = `{${claimed.map(({ id }) => id).join()}}`;
  const scheduled = `{${claimed.map(({ scheduledFor }) => scheduledFor.toISOString()).join()}}`;
  await tx.execute(sql`
    insert into ${occurrences} (kind, object_id, scheduled_for)
    select ${kind}, * from unnest(${ids}::int[], ${scheduled}::timestamptz[])
    on conflict do nothing`);
  const times = `{${claimed.map(({ next }) => next?.toISOString() ?? "null").join()}}`;
  await tx.execute(sql`
    update ${rows} as scheduled set next_run_at = moved.next_run_at
    from unnest(${ids}::int[], ${times}::timestamptz[]) as moved (id, next_run_at)
    where scheduled.id = moved.id`);
  return due.length;
}

/** The next runs after a minute, by cron and zone. */
const known = { minute: 0, next: new Map<string, Date | null>() };

/** Many rows share a cron, and the next run is the same for any moment within a minute. */
function nextRunAfter(expression: string, zone: string, now: Date): Date | null {
  const minute = Math.floor(now.getTime() / 60_000);
  if (minute !== known.minute || known.next.size > 100_000) Object.assign(known, { minute, next: new Map() });
  const key = `${zone} ${expression}`;
  const found = known.next.get(key);
  if (found !== undefined) return found;
  const next = nextRun(expression, zone, now);
  known.next.set(key, next);
  return next;
}

/** A row whose cron this Node cannot parse (such as an obsolete zone) stops without affecting others. */
function nextRunOrNull(kind: string, id: number, expression: string, zone: string, now: Date): Date | null {
  try {
    return nextRunAfter(expression, zone, now);
  } catch (err) {
    log.error({ err, kind, id, expression, zone }, "This schedule cannot be read and has stopped");
    return null;
  }
}

/** Sends an event for each unsent occurrence. Returns how many. */
async function dispatchOccurrences(tx: Transaction, { kind, sources, event }: Schedule): Promise<number> {
  const sent = await tx.execute<{ objectId: number; scheduledFor: string }>(sql`
    update occurrences set dispatched_at = now()
    where ctid = any(array(
      select ctid from occurrences where kind = ${kind} and dispatched_at is null
      order by scheduled_for limit ${batch} for update skip locked))
    returning object_id as "objectId", scheduled_for as "scheduledFor"`);
  const waiting = sent
    .map(({ objectId, scheduledFor }) => ({ objectId, scheduledFor: new Date(scheduledFor) }))
    .sort((a, b) => a.scheduledFor.getTime() - b.scheduledFor.getTime());
  const objectIds = waiting.map(({ objectId }) => objectId);
  const sourceOf = await (waiting.length > 0 ? sources?.(tx, objectIds) : undefined);
  await sendEvents(
    tx,
    waiting.map((occurrence) => ({
      ...event({ ...occurrence, dataSourceId: sourceOf?.get(occurrence.objectId) ?? null }),
      id: `${kind}/${occurrence.objectId}/${occurrence.scheduledFor.toISOString()}`,
    })),
  );
  return waiting.length;
}

/**
 * Whether this run handles the occurrence: true for the first run that asks and for its retries; false for any other
 * run, and for an occurrence that does not exist.
 */
export const claimOccurrence = (occurrence: Occurrence & { kind: string }, runId: string): Promise<boolean> =>
  claim({ ...occurrence, runId });

/**
 * Does the work of a due occurrence, unless another run handles it; then the result gives the reason. Claim and work
 * belong in one step: a retry claims again what is already its own, and another step would be another call and another row.
 */
export async function ifClaimed<Result>(
  occurrence: Occurrence & { kind: string },
  runId: string,
  work: () => Promise<Result>,
): Promise<Result | { skipped: string }> {
  const isMine = await claimOccurrence(occurrence, runId);
  return isMine ? work() : { skipped: "Another run has claimed this time" };
}

type Claim = Occurrence & { kind: string; runId: string };

const claim = gathered(async (claims: readonly Claim[]): Promise<boolean[]> => {
  const given = claims.map(({ kind, objectId, scheduledFor, runId }, position) => ({
    ...{ position, kind, object_id: objectId, scheduled_for: scheduledFor, run_id: runId },
  }));
  const claimed = await writeClaims({ given: JSON.stringify(given) });
  const mine = new Set(claimed.map(({ position }) => position));
  return claims.map((_, position) => mine.has(position));
});

const writeClaims = compiledStatement<{ position: number }, { given: string }>(
  groupDb,
  () => sql`
    with given as (
      select * from json_to_recordset(${sql.placeholder("given")}::json)
        as given (position integer, kind text, object_id integer, scheduled_for timestamptz, run_id text)
    ),
    claimed as (
      update occurrences set
        claimed_by = coalesce(claimed_by, given.run_id), claimed_at = coalesce(claimed_at, now())
      from given
      where occurrences.kind = given.kind and occurrences.object_id = given.object_id
        and occurrences.scheduled_for = given.scheduled_for
      returning occurrences.kind, occurrences.object_id, occurrences.scheduled_for, claimed_by
    )
    select position from given join claimed using (kind, object_id, scheduled_for) where run_id = claimed_by`,
);

/**
 * The objects of a kind that came due within the last day, more than the given number of minutes ago, and that no run
 * has handled; without those that have been handled at a later time.
 */
export async function overdueOccurrences(kind: string, minutes: number): Promise<number[]> {
  const later = alias(occurrences, "later");
  const wasHandledLater = db
    .select({ one: sql`1` })
    .from(later)
    .where(
      and(
        eq(later.kind, kind),
        eq(later.objectId, occurrences.objectId),
        gt(later.scheduledFor, occurrences.scheduledFor),
        isNotNull(later.claimedAt),
      ),
    );
  const rows = await db
    .selectDistinct({ objectId: occurrences.objectId })
    .from(occurrences)
    .where(
      and(
        eq(occurrences.kind, kind),
        isNull(occurrences.claimedAt),
        sql`${occurrences.createdAt} < now() - ${minutes} * interval '1 minute'`,
        sql`${occurrences.createdAt} > now() - interval '1 day'`,
        notExists(wasHandledLater),
      ),
    );
  return rows.map(({ objectId }) => objectId);
}

/** The clock that schedules use, to the millisecond; inside a transaction, the time at which it started. */
export async function databaseNow(connection: Connection): Promise<Date> {
  const [row] = await connection.execute<{ ms: number }>(
    sql`select floor(extract(epoch from now()) * 1000)::float8 as ms`,
  );
  return new Date(row?.ms as number);
}
