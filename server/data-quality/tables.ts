import { sql } from "drizzle-orm";
import {
  boolean,
  foreignKey,
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
import { users } from "../auth/tables.ts";
import { dataSources } from "../data-sources/tables.ts";
import { createdAt, id, moment, updatedAt } from "../db/columns.ts";
import { recipients } from "../notifications/tables.ts";
import type { MeasuredScore, StoredScore } from "./measured-score.ts";
import {
  evaluationStatuses,
  evaluationTriggers,
  ruleTypes,
  type Sample,
  sampleModes,
  severities,
  trends,
} from "./schema.ts";

export const ruleType = pgEnum("rule_type", ruleTypes);
export const severity = pgEnum("severity", severities);
export const trend = pgEnum("trend", trends);
export const evaluationTrigger = pgEnum("evaluation_trigger", evaluationTriggers);
export const sampleMode = pgEnum("sample_mode", sampleModes);
export const evaluationStatus = pgEnum("evaluation_status", evaluationStatuses);

/** Scores and percentages: decimals with two places, 0 to 100. */
const score = () => numeric({ precision: 5, scale: 2, mode: "number" });

export const contracts = pgTable(
  "contracts",
  {
    id: id(),
    dataSourceId: integer()
      .notNull()
      .references(() => dataSources.id),
    name: text().notNull(),
    description: text(),
    schemaName: text().notNull(),
    tableName: text().notNull(),
    cronExpression: text().notNull(),
    timezone: text().notNull().default("UTC"),
    failureThreshold: numeric({ mode: "number" }).notNull().default(80),
    enabled: boolean().notNull().default(true),
    alertOnFailure: boolean().notNull().default(true),
    /** How long an open alert stays quiet before it is repeated; null never repeats it. */
    reminderHours: integer().default(24),
    /** What is kept of rows that fail. */
    samples: sampleMode().notNull().default("Masked"),
    /**
     * Raised by every edit: an evaluation knows by it whether the rules it ran are still the contract's, and a save
     * whether what it began from is still the current state.
     */
    revision: integer().notNull().default(1),
    /** When the schedule fires next; null when the contract is disabled or archived. */
    nextRunAt: moment(),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
    archivedAt: moment(),
  },
  (t) => [
    // The minute tick claims what is due.
    index("contracts_due_idx").on(t.nextRunAt).where(sql`${t.nextRunAt} is not null`),
    // A data source's contracts: lists, the overview, and a table's latest score.
    index("contracts_target_idx").on(t.dataSourceId, t.schemaName, t.tableName),
  ],
);

export const contractRecipients = pgTable(
  "contract_recipients",
  {
    contractId: integer()
      .notNull()
      .references(() => contracts.id),
    recipientId: integer()
      .notNull()
      .references(() => recipients.id),
  },
  (t) => [primaryKey({ columns: [t.contractId, t.recipientId] })],
);

export const rules = pgTable(
  "rules",
  {
    id: id(),
    contractId: integer()
      .notNull()
      .references(() => contracts.id),
    /** Stays the same through edits; `id` does not. */
    key: uuid().notNull(),
    position: integer().notNull(),
    name: text().notNull(),
    type: ruleType().notNull(),
    column: text(),
    severity: severity().notNull(),
    weight: numeric({ mode: "number" }).notNull(),
    enabled: boolean().notNull(),
    configuration: jsonb().$type<Record<string, unknown>>().notNull(),
  },
  (t) => [
    // A contract's rules in their order; a key names one of them.
    uniqueIndex("rules_position_idx").on(t.contractId, t.position),
    uniqueIndex("rules_key_idx").on(t.contractId, t.key),
  ],
);

export const evaluations = pgTable(
  "evaluations",
  {
    id: id(),
    contractId: integer()
      .notNull()
      .references(() => contracts.id),
    /** The target at the time of the run, which an edit of the contract does not change. */
    dataSourceId: integer().notNull(),
    schemaName: text().notNull(),
    tableName: text().notNull(),
    trigger: evaluationTrigger().notNull(),
    /** Who asked for it first, where a person did; they hear when it has ended. */
    requestedById: integer().references(() => users.id),
    status: evaluationStatus().notNull().default("Running"),
    /** The cron occurrence that a scheduled evaluation belongs to. */
    scheduledFor: moment(),
    overallScore: score(),
    passedCount: integer().notNull().default(0),
    failedCount: integer().notNull().default(0),
    /** Progress: rules measured so far, of how many. */
    rulesDone: integer().notNull().default(0),
    rulesTotal: integer().notNull().default(0),
    /** The names of the rules that are being measured. */
    rulesRunning: text().array().notNull().default([]),
    executionTimeMs: integer(),
    startedAt: moment().notNull().defaultNow(),
    evaluatedAt: moment(),
    /** Why the data source could not be reached, where that kept every rule from being measured; null otherwise. */
    notEvaluatedBecause: text(),
    /** False when its rule results have been removed for their age. */
    areResultsKept: boolean().notNull().default(true),
    /** Who is working on it, and until when that is believed without a sign of life. */
    leaseToken: uuid().notNull(),
    leaseUntil: moment().notNull(),
    /** How often it was begun: once, and again by whoever took it over. */
    attempts: integer().notNull().default(1),
  },
  (t) => [
    // At most one evaluation of a contract is under way; a second request joins it.
    uniqueIndex("evaluations_running_idx").on(t.contractId).where(sql`${t.status} = 'Running'`),
    // A scheduled time is evaluated once, however often its job is retried.
    uniqueIndex("evaluations_scheduled_idx").on(t.contractId, t.scheduledFor),
    // History, newest first; the contract's latest score. NULLs first, as a plain `order by … desc` has them.
    index("evaluations_history_idx").on(
      t.contractId,
      t.evaluatedAt.desc().nullsFirst(),
      t.id.desc().nullsFirst(),
    ),
    // A contract's latest measured scores, however long its data source has been out of reach since.
    index("evaluations_measured_idx")
      .on(t.contractId, t.evaluatedAt.desc().nullsFirst(), t.id.desc().nullsFirst())
      .where(sql`${t.notEvaluatedBecause} is null and ${t.evaluatedAt} is not null`),
    // A table's latest scores, over all its contracts.
    index("evaluations_target_idx").on(
      t.dataSourceId,
      t.schemaName,
      t.tableName,
      t.evaluatedAt.desc().nullsFirst(),
      t.id.desc().nullsFirst(),
    ),
    // What is old: of those with rule results, and of those without.
    index("evaluations_old_idx").on(t.areResultsKept, t.evaluatedAt, t.id),
  ],
);

export const ruleResults = pgTable(
  "rule_results",
  {
    evaluationId: integer()
      .notNull()
      .references(() => evaluations.id),
    ruleId: integer()
      .notNull()
      .references(() => rules.id, { onDelete: "cascade" }),
    position: integer().notNull(),
    passed: boolean().notNull(),
    score: score().notNull(),
    expectedValue: text(),
    actualValue: text(),
    message: text(),
    /** How many rows failed; null where that was not counted. */
    failing: numeric({ mode: "number" }),
    executionTimeMs: integer().notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.evaluationId, t.ruleId] }),
    // An edit purges the results of the rules that it replaces.
    index("rule_results_rule_idx").on(t.ruleId),
  ],
);

/** Some of the rows that a rule failed for, gone with its result, and by themselves after some time. */
export const ruleSamples = pgTable(
  "rule_samples",
  {
    evaluationId: integer().notNull(),
    ruleId: integer().notNull(),
    sample: jsonb().$type<Sample>().notNull(),
    takenAt: moment().notNull().defaultNow(),
  },
  (t) => [
    primaryKey({ columns: [t.evaluationId, t.ruleId] }),
    foreignKey({
      name: "rule_samples_result_fk",
      columns: [t.evaluationId, t.ruleId],
      foreignColumns: [ruleResults.evaluationId, ruleResults.ruleId],
    }).onDelete("cascade"),
    // What the cleaning looks for.
    index("rule_samples_taken_idx").on(t.takenAt),
  ],
);

/** Evaluations that are stored and whose failing rows are still to be looked at. */
export const sampleRequests = pgTable(
  "sample_requests",
  {
    id: id(),
    evaluationId: integer()
      .notNull()
      .references(() => evaluations.id, { onDelete: "cascade" }),
    createdAt: createdAt(),
    /** Who is at it, and until when that is believed; free before that. */
    leaseToken: uuid(),
    leaseUntil: moment(),
    attempts: integer().notNull().default(0),
  },
  (t) => [
    uniqueIndex("sample_requests_evaluation_idx").on(t.evaluationId),
    // The next that is free.
    index("sample_requests_free_idx").on(t.leaseUntil),
  ],
);

/**
 * Every rule's score in every evaluation that could be evaluated, by the rule's key: what is left of a result when an
 * edit purges it, with the rule's name and type as they were.
 */
export const ruleScores = pgTable(
  "rule_scores",
  {
    evaluationId: integer()
      .notNull()
      .references(() => evaluations.id, { onDelete: "cascade" }),
    key: uuid().notNull(),
    contractId: integer()
      .notNull()
      .references(() => contracts.id),
    evaluatedAt: moment().notNull(),
    position: integer().notNull(),
    name: text().notNull(),
    type: ruleType().notNull(),
    passed: boolean().notNull(),
    score: score().notNull(),
    /** In the type's unit: minutes, rows, per cent, values; null where there was no number. */
    measured: numeric({ mode: "number" }),
  },
  (t) => [
    primaryKey({ columns: [t.evaluationId, t.key] }),
    // A rule's series; its last pass or failure, which says since when it does the other.
    index("rule_scores_series_idx").on(
      t.contractId,
      t.key,
      t.passed,
      t.evaluatedAt.desc().nullsFirst(),
      t.evaluationId.desc().nullsFirst(),
    ),
  ],
);

/**
 * A contract's open alert, from the run that opened it to the one that recovers: what recipients were last told, so
 * that they are told again only when something changed or it is time to remind them.
 */
export const contractAlerts = pgTable("contract_alerts", {
  contractId: integer()
    .primaryKey()
    .references(() => contracts.id, { onDelete: "cascade" }),
  openedAt: moment().notNull(),
  lastToldAt: moment().notNull(),
  /** The scheduled time that was told, which reminders count from: runs begin a little early or late. */
  lastToldFor: moment().notNull(),
  lastToldScore: score().notNull(),
  /** Whether the last that was told is that the data source could not be reached. */
  toldNotEvaluated: boolean().notNull(),
  /** Keys of the failed rules that have been told since the alert opened. */
  toldRuleKeys: uuid().array().notNull(),
  /** Who has been told since it opened. */
  toldRecipientIds: integer().array().notNull(),
});

/** One row per table that any contract watches: its latest score. */
export const tableScores = pgTable(
  "table_scores",
  {
    dataSourceId: integer()
      .notNull()
      .references(() => dataSources.id),
    schemaName: text().notNull(),
    tableName: text().notNull(),
    currentScore: score().notNull(),
    previousScore: score(),
    trend: trend().notNull(),
    evaluationId: integer()
      .notNull()
      .references(() => evaluations.id),
    evaluatedAt: moment().notNull(),
    /** The scores of its latest evaluations, oldest first, so that an overview of many tables is one look. */
    history: jsonb().$type<StoredScore[]>().notNull().default([]),
    /** The scores that were measured; null while they are the current and the previous one. */
    measured: jsonb().$type<MeasuredScore>(),
  },
  (t) => [
    primaryKey({ columns: [t.dataSourceId, t.schemaName, t.tableName] }),
    // Whether an evaluation is a table's latest, when old ones are removed.
    index("table_scores_evaluation_idx").on(t.evaluationId),
  ],
);
