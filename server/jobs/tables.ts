import { sql } from "drizzle-orm";
import {
  customType,
  index,
  integer,
  pgEnum,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
} from "drizzle-orm/pg-core";
import { createdAt, id, moment } from "../db/columns.ts";
import { jobStatuses } from "./schema.ts";

/** The jobs of the embedded engine. With Inngest configured, only `occurrences` is used. */

export const jobStatus = pgEnum("job_status", jobStatuses);

/**
 * JSON to the letter, NUL in a text included (`jsonb` refuses it). Drizzle's own type would parse a text twice
 * and turn "42" into 42.
 */
const json = customType<{ data: unknown; driverData: unknown }>({
  dataType: () => "json",
  toDriver: (value) => JSON.stringify(value),
  fromDriver: (value) => value,
});

/** An error as the SDK serialises it, without its stack. */
export type JobError = { name: string; message: string };

export const jobEvents = pgTable(
  "job_events",
  {
    id: id(),
    /** The event's id for the outside: sent twice with one key, an event happens once. */
    key: text().notNull(),
    name: text().notNull(),
    data: json().$type<Record<string, unknown>>().notNull(),
    /** When what it tells of happened. */
    occurredAt: moment().notNull().defaultNow(),
    createdAt: createdAt(),
    /** When its runs were made; null while it waits for a worker. */
    fannedOutAt: moment(),
  },
  (t) => [
    uniqueIndex("job_events_key_idx").on(t.key),
    // What a worker still has to fan out, oldest first.
    index("job_events_waiting_idx").on(t.id).where(sql`${t.fannedOutAt} is null`),
    // What is old.
    index("job_events_old_idx").on(t.fannedOutAt).where(sql`${t.fannedOutAt} is not null`),
  ],
);

export const jobRuns = pgTable(
  "job_runs",
  {
    id: id(),
    /** As the SDK names it: `plumbline-run-evaluation`. */
    functionId: text().notNull(),
    eventId: integer()
      .notNull()
      .references(() => jobEvents.id),
    status: jobStatus().notNull().default("Waiting"),
    /** Tries since the last step that was completed, from 0; a worker that is lost counts as one. */
    attempt: integer().notNull().default(0),
    /**
     * When a worker may take the run: its start, its next try, or, while it runs, the end of the lease that
     * its worker keeps renewing.
     */
    dueAt: moment().notNull().defaultNow(),
    /** Counts the claims. A worker writes only under the number that it claimed with, so a late one cannot. */
    fence: integer().notNull().default(0),
    /** What it shares its function's limit with, by the function's `concurrency.key`; null shares with nothing. */
    concurrencyKey: text(),
    /** By the function's `idempotency`: with one key it runs once in a day; null runs as often as it is asked. */
    idempotencyKey: text(),
    /** Why the last try failed; kept when a later one succeeds. */
    error: text(),
    createdAt: createdAt(),
    startedAt: moment(),
    finishedAt: moment(),
  },
  (t) => [
    // An event makes one run of a function, however often it is fanned out.
    uniqueIndex("job_runs_event_idx").on(t.eventId, t.functionId),
    // What workers claim, the longest due first; and when they have to look again.
    index("job_runs_due_idx")
      .on(t.dueAt, t.id)
      .where(sql`${t.finishedAt} is null and ${t.concurrencyKey} is null`),
    // The same of each key, and how many of it run.
    index("job_runs_key_idx")
      .on(t.functionId, t.concurrencyKey, t.dueAt, t.id)
      .where(sql`${t.finishedAt} is null and ${t.concurrencyKey} is not null`),
    // What the page lists of what has not ended, or has ended badly; how many failed of late; what is old of it.
    index("job_runs_open_idx").on(t.id).where(sql`${t.finishedAt} is null`),
    index("job_runs_failed_idx").on(t.finishedAt).where(sql`${t.status} in ('Failed', 'Cancelled')`),
    // Whether a key has had its run lately.
    index("job_runs_idempotency_idx")
      .on(t.functionId, t.idempotencyKey, t.createdAt)
      .where(sql`${t.idempotencyKey} is not null`),
    // What is old of the rest, function by function, for they are kept for different times.
    index("job_runs_completed_idx").on(t.functionId, t.finishedAt).where(sql`${t.status} = 'Completed'`),
  ],
);

/** What a step returned, or the error with which it failed for good: kept, so that it never runs again. */
export const jobSteps = pgTable(
  "job_steps",
  {
    /** The order in which a run's steps ended. */
    id: id(),
    runId: integer()
      .notNull()
      .references(() => jobRuns.id, { onDelete: "cascade" }),
    /** The SDK's hash of the step's name. */
    key: text().notNull(),
    name: text().notNull(),
    data: json(),
    error: json().$type<JobError>(),
    finishedAt: moment().notNull().defaultNow(),
  },
  (t) => [uniqueIndex("job_steps_key_idx").on(t.runId, t.key)],
);

/** Up to when each cron trigger of a function has been taken care of. */
export const jobCrons = pgTable(
  "job_crons",
  { functionId: text().notNull(), expression: text().notNull(), doneUntil: moment().notNull() },
  (t) => [primaryKey({ columns: [t.functionId, t.expression] })],
);

/**
 * One due time of one thing that people schedule (a contract, a subscription). The row is what makes the work
 * happen once: it is made with the move of the schedule, sent as an event, and claimed by the run that works.
 */
export const occurrences = pgTable(
  "occurrences",
  {
    kind: text().notNull(),
    objectId: integer().notNull(),
    scheduledFor: moment().notNull(),
    createdAt: createdAt(),
    /** When its event was sent; null says that it still must be. */
    dispatchedAt: moment(),
    /** The run that works on it; no other may. */
    claimedBy: text(),
    claimedAt: moment(),
  },
  (t) => [
    primaryKey({ columns: [t.kind, t.objectId, t.scheduledFor] }),
    // What the next tick has to send.
    index("occurrences_waiting_idx").on(t.kind, t.scheduledFor).where(sql`${t.dispatchedAt} is null`),
    // What nobody works on.
    index("occurrences_unclaimed_idx").on(t.kind, t.createdAt).where(sql`${t.claimedAt} is null`),
    // What is old.
    index("occurrences_old_idx").on(t.createdAt),
  ],
);
