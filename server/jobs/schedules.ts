import { and, asc, eq, getTableName, gt, isNotNull, isNull, lte, notExists, sql } from "drizzle-orm";
import { alias, integer, type PgColumn, type PgTable, pgTable, text, timestamp } from "drizzle-orm/pg-core";
import { cron } from "inngest";
import { type Connection, db, type Transaction } from "../db/client.ts";
import { log } from "../log.ts";
import { type Event, inngest, sendEvents } from "./client.ts";
import { nextRun } from "./cron.ts";
import { cronRetries } from "./retries.ts";
import { occurrences } from "./tables.ts";

/**
 * What people schedule by cron: contracts, subscriptions. Inngest knows only crons that stand in the code, so
 * one function ticks every minute and finds what is due in the database.
 *
 * A tick claims the due rows, writes one occurrence for each and moves its `next_run_at` past the database's
 * now, all in one transaction: however many times a tick comes, however many processes tick, an occurrence
 * is made once, and times that were missed collapse into one. Then it sends an event for every occurrence
 * that has none yet, an earlier tick's leftovers included.
 */

/** One due time of one scheduled thing. */
export type Occurrence = { objectId: number; scheduledFor: Date };

/** A table with a cron per row; `nextRunAt` is null while the row's schedule is off. */
type ScheduledTable = PgTable & Record<"id" | "cronExpression" | "timezone" | "nextRunAt", PgColumn>;

export type Schedule = {
  kind: string;
  rows: ReturnType<typeof scheduledRows>;
  sources: SourcesOf | null;
  event: (due: Due) => Event;
};

/** What an occurrence's event is made of; `dataSourceId` is null where nobody says which, or there is none. */
type Due = Occurrence & { dataSourceId: number | null };

/** Which data source each of these things waits for, at the time when they are due. */
type SourcesOf = (connection: Connection, objectIds: readonly number[]) => Promise<Map<number, number>>;

/**
 * The table by its name, with no more of it than schedules need. Its columns are named outright: Drizzle keeps the
 * names that it derives by table, and would take these four for all that the table has.
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
 * Declares that the rows of a table run by cron. `kind` names their occurrences for ever; `event` is what an
 * occurrence sends (its id is set here). `sources` says what it waits for, so that its function can limit how many
 * runs wait for the same.
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

/** The function that ticks; server/job-functions.ts gives it the domains' schedules. */
export function scheduleTick(schedules: Schedule[]) {
  return inngest.createFunction(
    // The next tick does what this one could not.
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

/** How many rows one transaction takes. */
const batch = 250;

/** Everything of one schedule that is due now. Returns how many occurrences it sent. */
export async function runDue(schedule: Schedule): Promise<number> {
  while ((await db.transaction(async (tx) => claimDue(tx, schedule, await databaseNow(tx)))) === batch);
  let sent = 0;
  for (let last = batch; last === batch; sent += last)
    last = await db.transaction((tx) => dispatchOccurrences(tx, schedule));
  return sent;
}

/**
 * Turns rows that are due by a time, as many as one transaction takes, into occurrences, and moves them on past it.
 * Returns how many. The time is the database's, except where a benchmark lets a day go by.
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
  await tx
    .insert(occurrences)
    .values(claimed.map(({ id, scheduledFor }) => ({ kind, objectId: id, scheduledFor })))
    .onConflictDoNothing();
  const ids = `{${claimed.map(({ id }) => id).join()}}`;
  const times = `{${claimed.map(({ next }) => next?.toISOString() ?? "null").join()}}`;
  await tx.execute(sql`
    update ${rows} as scheduled set next_run_at = moved.next_run_at
    from unnest(${ids}::int[], ${times}::timestamptz[]) as moved (id, next_run_at)
    where scheduled.id = moved.id`);
  return due.length;
}

/** The next runs after a minute, by cron and zone. */
const known = { minute: 0, next: new Map<string, Date | null>() };

/** Many rows share a cron, and what comes after one moment of a minute comes after any other of it. */
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

/** A row whose cron this Node cannot read (a zone that is no longer known) stops, and holds up no other. */
function nextRunOrNull(kind: string, id: number, expression: string, zone: string, now: Date): Date | null {
  try {
    return nextRunAfter(expression, zone, now);
  } catch (err) {
    log.error({ err, kind, id, expression, zone }, "This schedule cannot be read and has stopped");
    return null;
  }
}

/** Sends an event for each occurrence that has none. Returns how many. */
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
 * Whether this run is the one that works on an occurrence: true for the first run that asks, and whenever the
 * same run asks again (its retries); false for every other, and for an occurrence that does not exist.
 */
export async function claimOccurrence(
  connection: Connection,
  occurrence: Occurrence & { kind: string },
  runId: string,
): Promise<boolean> {
  const claimed = await connection
    .update(occurrences)
    .set({
      claimedBy: sql`coalesce(${occurrences.claimedBy}, ${runId})`,
      claimedAt: sql`coalesce(${occurrences.claimedAt}, now())`,
    })
    .where(isOccurrence(occurrence))
    .returning({ by: occurrences.claimedBy });
  return claimed[0]?.by === runId;
}

/**
 * Which things of a kind were due so many minutes ago, today, and have been worked on by nobody; those that have
 * been worked on since are none of them.
 */
export async function overdueOccurrences(kind: string, minutes: number): Promise<number[]> {
  const later = alias(occurrences, "later");
  const isMadeUpFor = db
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
        notExists(isMadeUpFor),
      ),
    );
  return rows.map(({ objectId }) => objectId);
}

/** The clock that schedules go by, to the millisecond; the start of the transaction inside one. */
export async function databaseNow(connection: Connection): Promise<Date> {
  const [row] = await connection.execute<{ ms: number }>(
    sql`select floor(extract(epoch from now()) * 1000)::float8 as ms`,
  );
  return new Date(row?.ms as number);
}

function isOccurrence({ kind, objectId, scheduledFor }: Occurrence & { kind: string }) {
  return and(
    eq(occurrences.kind, kind),
    eq(occurrences.objectId, objectId),
    eq(occurrences.scheduledFor, scheduledFor),
  );
}
