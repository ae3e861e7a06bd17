import { and, asc, eq, getTableName, gt, isNotNull, isNull, notExists, sql } from "drizzle-orm";
import { alias, integer, type PgColumn, type PgTable, pgTable, text, timestamp } from "drizzle-orm/pg-core";
import { cron } from "inngest";
import { type Connection, db, type Transaction } from "../db/client.ts";
import { log } from "../log.ts";
import { type Event, inngest, sendEvents } from "./client.ts";
import { nextRun } from "./cron.ts";
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
    { id: "schedule-tick", triggers: cron("* * * * *"), retries: 0 },
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
const batch = 100;

/** Everything of one schedule that is due now. Returns how many occurrences it sent. */
export async function runDue(schedule: Schedule): Promise<number> {
  while ((await db.transaction((tx) => claimDue(tx, schedule))) === batch);
  let sent = 0;
  for (let last = batch; last === batch; sent += last)
    last = await db.transaction((tx) => dispatchOccurrences(tx, schedule));
  return sent;
}

/** Turns due rows into occurrences, and moves them on. Returns how many. */
async function claimDue(tx: Transaction, { kind, rows }: Schedule): Promise<number> {
  const now = await databaseNow(tx);
  const due = await tx
    .select()
    .from(rows)
    .where(sql`${rows.nextRunAt} <= now()`)
    .orderBy(asc(rows.nextRunAt))
    .limit(batch)
    .for("update", { skipLocked: true });
  for (const { id, cronExpression, timezone, nextRunAt } of due) {
    if (nextRunAt === null) continue;
    await tx
      .insert(occurrences)
      .values({ kind, objectId: id, scheduledFor: nextRunAt })
      .onConflictDoNothing();
    await tx
      .update(rows)
      .set({ nextRunAt: nextRunOrNull(kind, id, cronExpression, timezone, now) })
      .where(eq(rows.id, id));
  }
  return due.length;
}

/** A row whose cron this Node cannot read (a zone that is no longer known) stops, and holds up no other. */
function nextRunOrNull(kind: string, id: number, expression: string, zone: string, now: Date): Date | null {
  try {
    return nextRun(expression, zone, now);
  } catch (err) {
    log.error({ err, kind, id, expression, zone }, "This schedule cannot be read and has stopped");
    return null;
  }
}

/** Sends an event for each occurrence that has none. Returns how many. */
async function dispatchOccurrences(tx: Transaction, { kind, sources, event }: Schedule): Promise<number> {
  const waiting = await tx
    .select({ objectId: occurrences.objectId, scheduledFor: occurrences.scheduledFor })
    .from(occurrences)
    .where(and(eq(occurrences.kind, kind), isNull(occurrences.dispatchedAt)))
    .orderBy(asc(occurrences.scheduledFor))
    .limit(batch)
    .for("update", { skipLocked: true });
  for (const { objectId, scheduledFor } of waiting)
    await tx
      .update(occurrences)
      .set({ dispatchedAt: sql`now()` })
      .where(isOccurrence({ kind, objectId, scheduledFor }));
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
