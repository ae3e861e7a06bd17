import { sql } from "drizzle-orm";
import {
  type AnyPgColumn,
  boolean,
  date,
  doublePrecision,
  index,
  integer,
  jsonb,
  numeric,
  pgEnum,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
  uuid,
} from "drizzle-orm/pg-core";
import { actors } from "../actors/tables.ts";
import { users } from "../auth/tables.ts";
import { createdAt, id, moment, updatedAt } from "../db/columns.ts";
import { recipients } from "../notifications/tables.ts";
import { projects } from "../projects/tables.ts";
import type { ParameterValue } from "../queries/schema.ts";
import { queries } from "../queries/tables.ts";
import {
  anomalyMethods,
  anomalyMetrics,
  anomalySeverities,
  conditionKinds,
  executionStatuses,
  executionTriggers,
  incidentKinds,
} from "./schema.ts";

export const conditionKind = pgEnum("condition_kind", conditionKinds);
export const executionStatus = pgEnum("execution_status", executionStatuses);
export const executionTrigger = pgEnum("execution_trigger", executionTriggers);
export const anomalyMethod = pgEnum("anomaly_method", anomalyMethods);
export const anomalyMetric = pgEnum("anomaly_metric", anomalyMetrics);
export const anomalySeverity = pgEnum("anomaly_severity", anomalySeverities);
export const incidentKind = pgEnum("incident_kind", incidentKinds);

export const subscriptions = pgTable(
  "subscriptions",
  {
    id: id(),
    queryId: integer()
      .notNull()
      .references(() => queries.id),
    /** The query's, which stays the same. */
    projectId: integer()
      .notNull()
      .references(() => projects.id),
    /** Who is told when it cannot do its work. */
    ownerId: integer().references(() => users.id),
    cronExpression: text().notNull(),
    timezone: text().notNull().default("UTC"),
    enabled: boolean().notNull().default(true),
    parameters: jsonb().$type<Record<string, ParameterValue>>().notNull().default({}),
    timeoutSeconds: integer().notNull(),
    conditionKind: conditionKind().notNull(),
    /** Rows, for the two conditions that have a threshold. */
    conditionThreshold: integer(),
    createTasks: boolean().notNull(),
    anomalyEnabled: boolean().notNull(),
    anomalyMethod: anomalyMethod().notNull(),
    /** Standard deviations, the factor of the interquartile range, or per cent: by the method. */
    anomalySensitivity: numeric({ mode: "number" }).notNull(),
    anomalyMetric: anomalyMetric().notNull(),
    silencedUntil: moment(),
    /** The actor that made it and wakes after its executions. */
    aiActorId: integer().references((): AnyPgColumn => actors.id),
    /** Raised by every edit: a save knows by it whether what it began from is still the current state. */
    revision: integer().notNull().default(1),
    /** When the schedule fires next; null when the subscription is disabled or archived. */
    nextRunAt: moment(),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
    archivedAt: moment(),
  },
  (t) => [
    // The minute tick claims what is due.
    index("subscriptions_due_idx").on(t.nextRunAt).where(sql`${t.nextRunAt} is not null`),
    // A project's subscriptions: the list.
    index("subscriptions_project_idx").on(t.projectId).where(sql`${t.archivedAt} is null`),
    // An actor's own subscriptions.
    index("subscriptions_actor_idx").on(t.aiActorId).where(sql`${t.aiActorId} is not null`),
    // A query's subscriptions.
    index("subscriptions_query_idx").on(t.queryId).where(sql`${t.archivedAt} is null`),
  ],
);

export const subscriptionRecipients = pgTable(
  "subscription_recipients",
  {
    subscriptionId: integer()
      .notNull()
      .references(() => subscriptions.id),
    recipientId: integer()
      .notNull()
      .references(() => recipients.id),
  },
  (t) => [
    primaryKey({ columns: [t.subscriptionId, t.recipientId] }),
    // What still uses a recipient.
    index("subscription_recipients_recipient_idx").on(t.recipientId),
  ],
);

/** One run of a subscription's query. `Created` while it waits or runs; otherwise what came of it. */
export const executions = pgTable(
  "executions",
  {
    id: id(),
    subscriptionId: integer()
      .notNull()
      .references(() => subscriptions.id),
    status: executionStatus().notNull().default("Created"),
    trigger: executionTrigger().notNull(),
    /** Who ran it by hand; they hear when it has ended. */
    requestedById: integer().references(() => users.id),
    /** The cron occurrence that a scheduled execution belongs to. */
    scheduledFor: moment(),
    /** Its start, by which it belongs to a window of time. It never changes. */
    executedAt: moment().notNull(),
    finishedAt: moment(),
    rowCount: integer(),
    /** What anomaly detection looks at, where it is not the row count: the first row's first number. */
    metricValue: doublePrecision(),
    /** The column that number is from; stored where detection looks at it. */
    metricColumn: text(),
    /** What detection looked at, and what it took for usual, both inclusive; null where it could not judge. */
    judgedMetric: anomalyMetric(),
    usualLow: doublePrecision(),
    usualHigh: doublePrecision(),
    /** Until when the subscription was silenced, where it was when this ended. */
    silencedUntil: moment(),
    executionTimeMs: integer(),
    errorMessage: text(),
    /** The number of the query's version that ran. */
    queryVersion: integer().notNull(),
    /** Who is working on it, and until when that is believed without a sign of life; none while it waits. */
    leaseToken: uuid(),
    leaseUntil: moment(),
    /** How often it was begun. */
    attempts: integer().notNull().default(0),
  },
  (t) => [
    // A scheduled time is executed once, however often its job is retried.
    uniqueIndex("executions_scheduled_idx").on(t.subscriptionId, t.scheduledFor),
    // One subscription's executions, newest first: its history, its last run, the edge of a window.
    index("executions_recent_idx").on(
      t.subscriptionId,
      t.executedAt.desc().nullsFirst(),
      t.id.desc().nullsFirst(),
    ),
    // All executions of a stretch of time, with what is counted of them: the edge of Control Tower's window.
    index("executions_time_idx").on(t.executedAt, t.subscriptionId, t.status),
    // What waits or runs, and whose worker may be gone.
    index("executions_open_idx").on(t.leaseUntil).where(sql`${t.status} = 'Created'`),
  ],
);

/**
 * What Control Tower counts, kept with every execution so that it need not count history: all executions so far,
 * those that were successful, and the anomalies in them.
 */
export const subscriptionState = pgTable("subscription_state", {
  subscriptionId: integer()
    .primaryKey()
    .references(() => subscriptions.id),
  total: integer().notNull().default(0),
  ok: integer().notNull().default(0),
  anomalies: integer().notNull().default(0),
  /** Of the execution that began last. */
  lastExecutionId: integer(),
  lastStatus: executionStatus(),
  lastAt: moment(),
});

/** The same counts as they stood at the end of each UTC day on which the subscription ran. */
export const subscriptionDay = pgTable(
  "subscription_day",
  {
    subscriptionId: integer()
      .notNull()
      .references(() => subscriptions.id),
    day: date({ mode: "string" }).notNull(),
    total: integer().notNull(),
    ok: integer().notNull(),
    anomalies: integer().notNull().default(0),
  },
  (t) => [
    primaryKey({ columns: [t.subscriptionId, t.day] }),
    // Everybody's counts at the end of one day.
    index("subscription_day_day_idx").on(t.day, t.subscriptionId),
  ],
);

export const anomalies = pgTable(
  "anomalies",
  {
    id: id(),
    subscriptionId: integer()
      .notNull()
      .references(() => subscriptions.id),
    executionId: integer()
      .notNull()
      .references(() => executions.id),
    detectedAt: moment().notNull(),
    severity: anomalySeverity().notNull(),
    method: anomalyMethod().notNull(),
    metric: anomalyMetric().notNull(),
    detectedValue: doublePrecision().notNull(),
    expectedLow: doublePrecision(),
    expectedHigh: doublePrecision(),
    explanation: text().notNull(),
    acknowledgedAt: moment(),
    acknowledgedById: integer().references(() => users.id),
  },
  (t) => [
    // An execution is judged once.
    uniqueIndex("anomalies_execution_idx").on(t.executionId),
    // All anomalies of a stretch of time: the edge of Control Tower's window.
    index("anomalies_time_idx").on(t.detectedAt, t.subscriptionId),
    // A subscription's anomalies in a window.
    index("anomalies_subscription_idx").on(t.subscriptionId, t.detectedAt.desc().nullsFirst()),
  ],
);

/** Why a subscription cannot do its work, from when until when. Its owner and the Admins are told of both, once. */
export const subscriptionIncidents = pgTable(
  "subscription_incidents",
  {
    id: id(),
    subscriptionId: integer()
      .notNull()
      .references(() => subscriptions.id),
    kind: incidentKind().notNull(),
    reason: text().notNull(),
    openedAt: moment().notNull().defaultNow(),
    closedAt: moment(),
  },
  (t) => [
    // One of a kind at a time.
    uniqueIndex("subscription_incidents_open_idx")
      .on(t.subscriptionId, t.kind)
      .where(sql`${t.closedAt} is null`),
    index("subscription_incidents_subscription_idx").on(t.subscriptionId, t.id.desc().nullsFirst()),
  ],
);
