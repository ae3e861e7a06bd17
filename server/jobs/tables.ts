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
import { jobStatuses } from "./statuses.ts";

/** The jobs of the embedded engine. With Inngest configured, only `occurrences` is used. */

export const jobStatus = pgEnum("job_status", jobStatuses);

/**
 * JSON stored verbatim, including NUL in text (`jsonb` rejects it). Drizzle's own type would parse text twice and turn
 * "42" into 42.
 */
const json = customType<{ data: unknown; driverData: unknown }>({
  dataType: () => "json",
  toDriver: (value) => JSON.stringify(value),
  fromDriver: (value) => value,
});

/** An error as serialized by the SDK, without its stack. */
export type JobError = { name: string; message: string };

export const jobEvents = pgTable(
  "job_events",
  {
    id: id(),
    /** The event's external id: events with the same key are processed once. */
    key: text().notNull(),
    name: text().notNull(),
    data: json().$type<Record<string, unknown>>().notNull(),
    /** When the event happened. */
    occurredAt: moment().notNull().defaultNow(),
    createdAt: createdAt(),
    /** When its runs were created; null while pending. */
    fannedOutAt: moment(),
  },
  (t) => [
    uniqueIndex("job_events_key_idx").on(t.key),
    // Pending events, oldest first.
    index("job_events_waiting_idx").on(t.id).where(sql`${t.fannedOutAt} is null`),
    // For the cleanup job.
    index("job_events_old_idx").on(t.fannedOutAt).where(sql`${t.fannedOutAt} is not null`),
  ],
);

export const jobRuns = pgTable(
  "job_runs",
  {
    id: id(),
    /** The SDK's name: `plumbline-run-evaluation`. */
    functionId: text().notNull(),
    eventId: integer()
      .notNull()
      .references(() => jobEvents.id),
    status: jobStatus().notNull().default("Waiting"),
    /** Tries since the last completed step, from 0; a dead worker counts as one. */
    attempt: integer().notNull().default(0),
    /**
     * When a worker may claim the run: its start, its next try, or, while it runs, the end of the lease that its worker
     * keeps renewing.
     */
    dueAt: moment().notNull().defaultNow(),
    /** Counts claims. A worker only writes with the number of its claim, so an outdated worker cannot. */
    fence: integer().notNull().default(0),
    /** The event's value for the function's `concurrency.key`: runs with the same one share a limit; null has none. */
    concurrencyKey: text(),
    /** Why the last try failed; kept even if a later one succeeds. */
    error: text(),
    createdAt: createdAt(),
    startedAt: moment(),
    finishedAt: moment(),
  },
  (t) => [
    // An event creates one run per function, however often it is fanned out.
    uniqueIndex("job_runs_event_idx").on(t.eventId, t.functionId),
    // Claims, longest due first; and when to poll next.
    index("job_runs_due_idx")
      .on(t.dueAt, t.id)
      .where(sql`${t.finishedAt} is null and ${t.concurrencyKey} is null`),
    // The same per key, and how many of it are running.
    index("job_runs_key_idx")
      .on(t.functionId, t.concurrencyKey, t.dueAt, t.id)
      .where(sql`${t.finishedAt} is null and ${t.concurrencyKey} is not null`),
    // The page's list of unfinished and failed runs; recent failures; and old ones to clean up.
    index("job_runs_open_idx").on(t.id).where(sql`${t.finishedAt} is null`),
    index("job_runs_failed_idx").on(t.finishedAt).where(sql`${t.status} in ('Failed', 'Cancelled')`),
    // Other runs to clean up, by function, since retention differs.
    index("job_runs_completed_idx").on(t.functionId, t.finishedAt).where(sql`${t.status} = 'Completed'`),
  ],
);

/** A step's result, or the error with which it failed permanently: kept, so that it never runs again. */
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

/** Up to when each cron trigger of a function has been handled. */
export const jobCrons = pgTable(
  "job_crons",
  { functionId: text().notNull(), expression: text().notNull(), doneUntil: moment().notNull() },
  (t) => [primaryKey({ columns: [t.functionId, t.expression] })],
);

/**
 * One due time of a scheduled object (a contract, a subscription). Makes the work happen once: created together with
 * the advance of the schedule, sent as an event, and claimed by the run that does the work.
 */
export const occurrences = pgTable(
  "occurrences",
  {
    kind: text().notNull(),
    objectId: integer().notNull(),
    scheduledFor: moment().notNull(),
    createdAt: createdAt(),
    /** When its event was sent; null if pending. */
    dispatchedAt: moment(),
    /** The run that handles it; no other may. */
    claimedBy: text(),
    claimedAt: moment(),
  },
  (t) => [
    primaryKey({ columns: [t.kind, t.objectId, t.scheduledFor] }),
    // Unsent occurrences for the next tick.
    index("occurrences_waiting_idx").on(t.kind, t.scheduledFor).where(sql`${t.dispatchedAt} is null`),
    // Unclaimed occurrences.
    index("occurrences_unclaimed_idx").on(t.kind, t.createdAt).where(sql`${t.claimedAt} is null`),
    // For the cleanup job.
    index("occurrences_old_idx").on(t.createdAt),
  ],
);
