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
import { users } from "../../auth/tables.ts";
import type { RunCost } from "../../data-sources/cost.ts";
import type { Sample } from "../../data-sources/sample.ts";
import { dataSources } from "../../data-sources/tables.ts";
import { createdAt, id, moment } from "../../db/columns.ts";
import type { MeasuredScore, StoredScore } from "../measured-score.ts";
import type { KnownHere } from "../rules/verdict.ts";
import type { FailingValues } from "../sample-schema.ts";
import { trends } from "../score-schema.ts";
import { contracts, rules, ruleType } from "../tables.ts";
import { evaluationStatuses, evaluationTriggers, type KeptGroups } from "./schema.ts";

export const trend = pgEnum("trend", trends);
export const evaluationTrigger = pgEnum("evaluation_trigger", evaluationTriggers);
export const evaluationStatus = pgEnum("evaluation_status", evaluationStatuses);

/** Scores and percentages: decimals with two places, 0 to 100. */
const score = () => numeric({ precision: 5, scale: 2, mode: "number" });

export const evaluations = pgTable(
  "evaluations",
  {
    id: id(),
    contractId: integer()
      .notNull()
      .references(() => contracts.id),
    /** The target at the time of the run, unaffected by later edits. */
    dataSourceId: integer().notNull(),
    schemaName: text().notNull(),
    tableName: text().notNull(),
    /** The contract's version whose rules it measured; null from before versions were kept. */
    version: integer(),
    trigger: evaluationTrigger().notNull(),
    /** The user who requested it first, if any; notified in the browser when it ends. */
    requestedById: integer().references(() => users.id),
    status: evaluationStatus().notNull().default("Running"),
    /** The cron occurrence of a scheduled evaluation. */
    scheduledFor: moment(),
    overallScore: score(),
    passedCount: integer().notNull().default(0),
    failedCount: integer().notNull().default(0),
    /** Progress: rules measured so far, and the total. */
    rulesDone: integer().notNull().default(0),
    rulesTotal: integer().notNull().default(0),
    /** The names of the rules in progress. */
    rulesRunning: text().array().notNull().default([]),
    executionTimeMs: integer(),
    /** What its statements cost, without the samples that are collected later; null where statements cost nothing. */
    cost: jsonb().$type<RunCost>(),
    startedAt: moment().notNull().defaultNow(),
    evaluatedAt: moment(),
    /** Why the data source was unreachable, if that prevented measuring any rule; otherwise null. */
    notEvaluatedBecause: text(),
    /** False once its rule results have been removed because of their age. */
    areResultsKept: boolean().notNull().default(true),
    /** The current worker, and until when it counts as alive without a heartbeat. */
    leaseToken: uuid().notNull(),
    leaseUntil: moment().notNull(),
    /** The number of attempts: 1, plus 1 each time it is taken over. */
    attempts: integer().notNull().default(1),
  },
  (t) => [
    // At most one evaluation per contract in progress; a second request joins it.
    uniqueIndex("evaluations_running_idx").on(t.contractId).where(sql`${t.status} = 'Running'`),
    // A scheduled time is evaluated once, however often its job is retried.
    uniqueIndex("evaluations_scheduled_idx").on(t.contractId, t.scheduledFor),
    // History, newest first; the contract's latest score. NULLs first, to match a plain `order by … desc`.
    index("evaluations_history_idx").on(
      t.contractId,
      t.evaluatedAt.desc().nullsFirst(),
      t.id.desc().nullsFirst(),
    ),
    // A contract's latest measured scores, however long its data source has been unreachable since.
    index("evaluations_measured_idx")
      .on(t.contractId, t.evaluatedAt.desc().nullsFirst(), t.id.desc().nullsFirst())
      .where(sql`${t.notEvaluatedBecause} is null and ${t.evaluatedAt} is not null`),
    // A table's latest scores across all its contracts.
    index("evaluations_target_idx").on(
      t.dataSourceId,
      t.schemaName,
      t.tableName,
      t.evaluatedAt.desc().nullsFirst(),
      t.id.desc().nullsFirst(),
    ),
    // Old evaluations to clean up: those with rule results, and those without.
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
    /** False if the rule's SQL could not run, so that nothing was measured. */
    couldRun: boolean().notNull().default(true),
    score: score().notNull(),
    expectedValue: text(),
    actualValue: text(),
    message: text(),
    /** The number of failing rows; null if not counted. */
    failing: numeric({ mode: "number" }),
    /** Of a rule by group: the groups that fail, masked as its failing rows are; null for other rules. */
    groups: jsonb().$type<KeptGroups>(),
    /** The known failures that were found, which do not count in `passed` and `score`. */
    knownFailures: jsonb().$type<KnownHere[]>().notNull().default([]),
    executionTimeMs: integer().notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.evaluationId, t.ruleId] }),
    // An edit deletes the results of the rules that it changes or removes.
    index("rule_results_rule_idx").on(t.ruleId),
  ],
);

/** A value of a rule's column in failing rows, and what recognizes it; older ones have no identity. */
export type KeptValues = Omit<FailingValues, "values"> & {
  values: (FailingValues["values"][number] & { identity?: string })[];
};
/** Older ones have no `byValue`. */
export type KeptSample = Sample & { byValue?: KeptValues | null };

/** A sample of the rows that failed a rule, deleted with its result or after a set time. */
export const ruleSamples = pgTable(
  "rule_samples",
  {
    evaluationId: integer().notNull(),
    ruleId: integer().notNull(),
    sample: jsonb().$type<KeptSample>().notNull(),
    takenAt: moment().notNull().defaultNow(),
  },
  (t) => [
    primaryKey({ columns: [t.evaluationId, t.ruleId] }),
    foreignKey({
      name: "rule_samples_result_fk",
      columns: [t.evaluationId, t.ruleId],
      foreignColumns: [ruleResults.evaluationId, ruleResults.ruleId],
    }).onDelete("cascade"),
    // For the cleanup job.
    index("rule_samples_taken_idx").on(t.takenAt),
  ],
);

/** Stored evaluations whose failing rows are yet to be sampled. */
export const sampleRequests = pgTable(
  "sample_requests",
  {
    id: id(),
    evaluationId: integer()
      .notNull()
      .references(() => evaluations.id, { onDelete: "cascade" }),
    createdAt: createdAt(),
    /**
     * The current worker, and until when it counts as alive without a heartbeat. Free while null, and after that time.
     */
    leaseToken: uuid(),
    leaseUntil: moment(),
    attempts: integer().notNull().default(0),
  },
  (t) => [
    uniqueIndex("sample_requests_evaluation_idx").on(t.evaluationId),
    // Finds the next free one.
    index("sample_requests_free_idx").on(t.leaseUntil),
  ],
);

/**
 * Every rule's score in every measured evaluation, by rule key. Remains when an edit deletes the results, with the
 * rule's name and type at the time.
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
    /** In the type's unit: minutes, rows, percent, values; null if there was no number. */
    measured: numeric({ mode: "number" }),
  },
  (t) => [
    primaryKey({ columns: [t.evaluationId, t.key] }),
    // A rule's series; its last pass or failure, which gives the start of the current streak.
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
 * A contract's open alert, from the evaluation that opened it until recovery: what recipients were last told, so that
 * they are notified again only on a change or a reminder.
 */
export const contractAlerts = pgTable("contract_alerts", {
  contractId: integer()
    .primaryKey()
    .references(() => contracts.id, { onDelete: "cascade" }),
  openedAt: moment().notNull(),
  lastToldAt: moment().notNull(),
  /** The scheduled time last reported, which reminders count from, since actual start times vary. */
  lastToldFor: moment().notNull(),
  lastToldScore: score().notNull(),
  /** Whether the last report was that the data source could not be reached. */
  toldNotEvaluated: boolean().notNull(),
  /** Keys of the failed rules reported since the alert opened. */
  toldRuleKeys: uuid().array().notNull(),
  /** Recipients notified since it opened. */
  toldRecipientIds: integer().array().notNull(),
});

/** One row per table that any contract watches, with its latest score. */
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
    /** The scores of its latest evaluations, oldest first, so that an overview of many tables is one read. */
    history: jsonb().$type<StoredScore[]>().notNull().default([]),
    /** The measured scores; null if they equal the current and previous ones. */
    measured: jsonb().$type<MeasuredScore>(),
  },
  (t) => [
    primaryKey({ columns: [t.dataSourceId, t.schemaName, t.tableName] }),
    // Whether an evaluation is a table's latest; for the cleanup of old ones.
    index("table_scores_evaluation_idx").on(t.evaluationId),
  ],
);
