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
import type { Sample } from "../data-sources/sample.ts";
import { bytes, changed, createdAt, id, moment, updatedAt } from "../db/columns.ts";
import { recipients, silence } from "../notifications/tables.ts";
import { projects } from "../projects/tables.ts";
import type { ParameterValue } from "../queries/schema.ts";
import { queries } from "../queries/tables.ts";
import { anomalyMethods, anomalyMetrics, executionStatuses } from "./kinds.ts";
import { anomalySeverities, conditionKinds, executionTriggers, incidentKinds } from "./schema.ts";

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
    /** null: it is called like its query. */
    name: text(),
    /** Copied from the query, where it never changes. */
    projectId: integer()
      .notNull()
      .references(() => projects.id),
    /** Notified when it cannot do its work. */
    ownerId: integer().references(() => users.id),
    cronExpression: text().notNull(),
    timezone: text().notNull().default("UTC"),
    enabled: boolean().notNull().default(true),
    parameters: jsonb().$type<Record<string, ParameterValue>>().notNull().default({}),
    timeoutSeconds: integer().notNull(),
    conditionKind: conditionKind().notNull(),
    /** Rows, for the two conditions with a threshold. */
    conditionThreshold: integer(),
    createTasks: boolean().notNull(),
    anomalyEnabled: boolean().notNull(),
    anomalyMethod: anomalyMethod().notNull(),
    /** Standard deviations, interquartile range factor, percent, or spreads, depending on the method. */
    anomalySensitivity: numeric({ mode: "number" }).notNull(),
    anomalyMetric: anomalyMetric().notNull(),
    ...silence(),
    /** The actor that created it and is woken by its executions. */
    aiActorId: integer().references((): AnyPgColumn => actors.id),
    /** Incremented by every edit, so that a save can detect that it began from an outdated state. */
    revision: integer().notNull().default(1),
    /** The next scheduled run; null if the subscription is disabled or archived. */
    nextRunAt: moment(),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
    archivedAt: moment(),
    changed: changed(),
  },
  (t) => [
    // Those that Control Tower reads again.
    index("subscriptions_changed_idx").on(t.changed),
    // The minute tick claims due subscriptions.
    index("subscriptions_due_idx").on(t.nextRunAt).where(sql`${t.nextRunAt} is not null`),
    // The list of a project's subscriptions.
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
    // Finds the subscriptions of a recipient.
    index("subscription_recipients_recipient_idx").on(t.recipientId),
  ],
);

/** One run of a subscription's query. `Created` while waiting or running; otherwise the result. */
export const executions = pgTable(
  "executions",
  {
    id: id(),
    subscriptionId: integer()
      .notNull()
      .references(() => subscriptions.id),
    status: executionStatus().notNull().default("Created"),
    trigger: executionTrigger().notNull(),
    /** Who ran it by hand; notified in the browser when it ends. */
    requestedById: integer().references(() => users.id),
    /** The cron occurrence of a scheduled execution. */
    scheduledFor: moment(),
    /** Its start, which decides its time windows. Never changes. */
    executedAt: moment().notNull(),
    finishedAt: moment(),
    rowCount: integer(),
    /** The value for anomaly detection if that is not the row count: the first row's first number. */
    metricValue: doublePrecision(),
    /** The column of that number; stored if detection uses it. */
    metricColumn: text(),
    /** The metric that detection judged, and its normal range, both inclusive; null if it could not judge. */
    judgedMetric: anomalyMetric(),
    usualLow: doublePrecision(),
    usualHigh: doublePrecision(),
    /** The end of the silence that was active when this ended. */
    silencedUntil: moment(),
    executionTimeMs: integer(),
    errorMessage: text(),
    /** The number of the query version that ran. */
    queryVersion: integer().notNull(),
    /** The values that it ran with; null if it did not start, or ran before they were stored. */
    parameters: jsonb().$type<Record<string, ParameterValue>>(),
    /** The current worker, and until when it counts as alive without a heartbeat; none while waiting. */
    leaseToken: uuid(),
    leaseUntil: moment(),
    /** The number of attempts. */
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
    // All executions of a time range with the counted columns: the edge of Control Tower's window.
    index("executions_time_idx").on(t.executedAt, t.subscriptionId, t.status),
    // Waiting and running executions whose worker may be gone.
    index("executions_open_idx").on(t.leaseUntil).where(sql`${t.status} = 'Created'`),
  ],
);

/**
 * The first rows of an execution, masked, and keyed hashes of up to 1,000 of its rows, which tell those that are new
 * or gone since the one before. Deleted after a set time.
 */
export const executionRows = pgTable(
  "execution_rows",
  {
    executionId: integer()
      .primaryKey()
      .references(() => executions.id, { onDelete: "cascade" }),
    sample: jsonb().$type<Sample>().notNull(),
    /** 8 bytes per row, in order. */
    hashes: bytes().notNull(),
    keptAt: moment().notNull().defaultNow(),
  },
  (t) => [
    // For the cleanup job.
    index("execution_rows_kept_idx").on(t.keptAt),
  ],
);

/**
 * Control Tower's counters, updated with every execution to avoid counting history: all executions so far, successful
 * ones, and their anomalies.
 */
export const subscriptionState = pgTable(
  "subscription_state",
  {
    subscriptionId: integer()
      .primaryKey()
      .references(() => subscriptions.id),
    total: integer().notNull().default(0),
    ok: integer().notNull().default(0),
    anomalies: integer().notNull().default(0),
    /** Of the execution with the latest start. */
    lastExecutionId: integer(),
    lastStatus: executionStatus(),
    lastAt: moment(),
    changed: changed(),
  },
  (t) => [
    // Those that Control Tower reads again.
    index("subscription_state_changed_idx").on(t.changed),
  ],
);

/** The same counts at the end of each UTC day on which the subscription ran. */
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
    // All subscriptions' counts at the end of a day.
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
    // All anomalies of a time range: the edge of Control Tower's window.
    index("anomalies_time_idx").on(t.detectedAt, t.subscriptionId),
    // A subscription's anomalies in a window.
    index("anomalies_subscription_idx").on(t.subscriptionId, t.detectedAt.desc().nullsFirst()),
  ],
);

/** Why a subscription cannot do its work, with start and end. Its owner and the Admins are notified of each once. */
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
    // One open incident per kind.
    uniqueIndex("subscription_incidents_open_idx")
      .on(t.subscriptionId, t.kind)
      .where(sql`${t.closedAt} is null`),
    index("subscription_incidents_subscription_idx").on(t.subscriptionId, t.id.desc().nullsFirst()),
  ],
);
