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
import { principalKind } from "../audit/tables.ts";
import { users } from "../auth/tables.ts";
import type { RunCost } from "../data-sources/cost.ts";
import { type Sample, sampleModes } from "../data-sources/sample.ts";
import { dataSources } from "../data-sources/tables.ts";
import { createdAt, id, moment, updatedAt } from "../db/columns.ts";
import type { FieldChange } from "../edits/schema.ts";
import { recipients, silence } from "../notifications/tables.ts";
import { projects } from "../projects/tables.ts";
import { evaluationStatuses, evaluationTriggers, type KeptGroups } from "./evaluations/schema.ts";
import type { ImportedRule } from "./imports/suite.ts";
import type { MeasuredScore, StoredScore } from "./measured-score.ts";
import { ruleTypes } from "./rules/rules.ts";
import type { KnownHere } from "./rules/verdict.ts";
import type { FailingValues } from "./sample-schema.ts";
import { trends } from "./score-schema.ts";
import { severities } from "./severities.ts";
import type { Selector } from "./templates/matches.ts";
import type { TemplateRule } from "./templates/rule-for.ts";
import { departures, type NewContracts } from "./templates/schema.ts";
import type { ContractContent } from "./version-schema.ts";

export const ruleType = pgEnum("rule_type", ruleTypes);
export const severity = pgEnum("severity", severities);
export const trend = pgEnum("trend", trends);
export const evaluationTrigger = pgEnum("evaluation_trigger", evaluationTriggers);
export const sampleMode = pgEnum("sample_mode", sampleModes);
export const evaluationStatus = pgEnum("evaluation_status", evaluationStatuses);
export const templateDeparture = pgEnum("template_departure", departures);

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
    /** What AI actors and assistants should know of the table. */
    context: text(),
    schemaName: text().notNull(),
    tableName: text().notNull(),
    cronExpression: text().notNull(),
    timezone: text().notNull().default("UTC"),
    failureThreshold: numeric({ mode: "number" }).notNull().default(80),
    enabled: boolean().notNull().default(true),
    alertOnFailure: boolean().notNull().default(true),
    /** How long an open alert stays quiet before it is repeated; null never repeats it. */
    reminderHours: integer().default(24),
    /** Who is responsible for it; the creator at first. */
    ownerId: integer().references(() => users.id),
    /** Whether a scheduled score below the threshold opens a task. */
    createTasks: boolean().notNull().default(false),
    ...silence(),
    /** What is stored of failing rows. */
    samples: sampleMode().notNull().default("Masked"),
    /**
     * Incremented by every edit. Tells an evaluation whether the rules it ran are still current, and a save whether it
     * began from the current state.
     */
    revision: integer().notNull().default(1),
    /** The number of its current version. Unlike the revision, a save that changes nothing leaves it. */
    version: integer().notNull().default(1),
    /** The next scheduled run; null if the contract is disabled or archived. */
    nextRunAt: moment(),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
    archivedAt: moment(),
  },
  (t) => [
    // The minute tick claims due contracts.
    index("contracts_due_idx").on(t.nextRunAt).where(sql`${t.nextRunAt} is not null`),
    // A data source's contracts: lists, the overview, and a table's latest score.
    index("contracts_target_idx").on(t.dataSourceId, t.schemaName, t.tableName),
  ],
);

/** What a contract was like after each save that changed it. Versions are immutable; restoring one makes a new one. */
export const contractVersions = pgTable(
  "contract_versions",
  {
    contractId: integer()
      .notNull()
      .references(() => contracts.id),
    /** Counts from 1 within the contract. */
    number: integer().notNull(),
    /** The contract's revision that began it. */
    revision: integer().notNull(),
    content: jsonb().$type<ContractContent>().notNull(),
    /** Compared with the version before. */
    changes: jsonb().$type<FieldChange[]>().notNull(),
    /** The version whose content it has again, if it was restored. */
    restoredFrom: integer(),
    /** null if the author is not known, because versions were not kept at the time. */
    principalKind: principalKind(),
    /** The user's id, or the key's. */
    principalId: integer(),
    /** As it was at the time. */
    principalName: text(),
    createdAt: createdAt(),
  },
  // A contract's versions, and one of them.
  (t) => [primaryKey({ columns: [t.contractId, t.number] })],
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
    /** Stays the same through edits; `id` only if the edit leaves what the rule checks and counts. */
    key: uuid().notNull(),
    position: integer().notNull(),
    name: text().notNull(),
    type: ruleType().notNull(),
    column: text(),
    severity: severity().notNull(),
    weight: numeric({ mode: "number" }).notNull(),
    enabled: boolean().notNull(),
    configuration: jsonb().$type<Record<string, unknown>>().notNull(),
    /** The other data source of a rule that compares with a table in it, so that it is not deleted meanwhile. */
    otherDataSourceId: integer()
      .references(() => dataSources.id)
      .generatedAlwaysAs(sql`(configuration ->> 'otherDataSourceId')::integer`),
  },
  (t) => [
    // The rules that compare with a data source's tables, for the foreign key.
    index("rules_other_data_source_idx")
      .on(t.otherDataSourceId)
      .where(sql`${t.otherDataSourceId} is not null`),
    // A contract's rules in order; keys are unique within it.
    uniqueIndex("rules_position_idx").on(t.contractId, t.position),
    uniqueIndex("rules_key_idx").on(t.contractId, t.key),
  ],
);

/** A failure that someone knows of: it does not count until a given time. */
export const knownFailures = pgTable(
  "known_failures",
  {
    id: id(),
    contractId: integer()
      .notNull()
      .references(() => contracts.id, { onDelete: "cascade" }),
    /** The rule's key, which it keeps through edits. It may have been removed since. */
    ruleKey: uuid().notNull(),
    /** Recognizes a group or a failing value of the rule; null for all that fails it. */
    identity: text(),
    /** The group or value in words, masked as in the result it was chosen from. */
    group: text(),
    until: moment().notNull(),
    reason: text().notNull(),
    createdById: integer()
      .notNull()
      .references(() => users.id),
    createdAt: createdAt(),
    /** When a person ended it early. */
    endedAt: moment(),
  },
  // A contract's known failures, of which an evaluation needs those that last.
  (t) => [index("known_failures_contract_idx").on(t.contractId, t.until)],
);

/** A table that was imported from another tool's files, to recognize it when they are imported again. */
export const importedTables = pgTable(
  "imported_tables",
  {
    id: id(),
    dataSourceId: integer()
      .notNull()
      .references(() => dataSources.id, { onDelete: "cascade" }),
    tool: text().notNull(),
    /** The tool's project: several may be imported into one data source. */
    project: text().notNull(),
    /** The tool's own identifier of the table. */
    externalId: text().notNull(),
    /** null if it has descriptions, and no rules. */
    contractId: integer().references(() => contracts.id, { onDelete: "cascade" }),
    schemaName: text().notNull(),
    tableName: text().notNull(),
    /** The imported descriptions by column, the table's own with an empty name: what differs was changed here. */
    descriptions: jsonb().$type<Record<string, string>>().notNull().default({}),
    /** The tool's tags at the last import: true if the import gave them to the table, and nobody took them away since. */
    tags: jsonb().$type<Record<string, boolean>>().notNull().default({}),
    importedAt: moment().notNull().defaultNow(),
  },
  (t) => [
    // A project's tables in a data source.
    uniqueIndex("imported_tables_external_idx").on(t.dataSourceId, t.tool, t.project, t.externalId),
    // The tables of a contract, for the foreign key.
    index("imported_tables_contract_idx").on(t.contractId),
  ],
);

/** A rule that was imported from another tool's files: from which check, and what it was like then. */
export const importedRules = pgTable(
  "imported_rules",
  {
    contractId: integer()
      .notNull()
      .references(() => contracts.id, { onDelete: "cascade" }),
    /** The rule's key, which it keeps through edits. It may have been removed since. */
    key: uuid().notNull(),
    /** The tool's own identifier of the check. */
    externalId: text().notNull(),
    /** The rule as imported: one that differs was changed here, and is left alone. */
    imported: jsonb().$type<ImportedRule>().notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.contractId, t.key] }),
    // A check is imported once.
    uniqueIndex("imported_rules_external_idx").on(t.contractId, t.externalId),
  ],
);

/** A rule for every table or column of a project that its selector matches. */
export const ruleTemplates = pgTable(
  "rule_templates",
  {
    id: id(),
    projectId: integer()
      .notNull()
      .references(() => projects.id, { onDelete: "cascade" }),
    name: text().notNull(),
    selector: jsonb().$type<Selector>().notNull(),
    rule: jsonb().$type<TemplateRule>().notNull(),
    /** The schedule of contracts that it creates for tables without one; null if it creates none. */
    newContracts: jsonb().$type<NewContracts>(),
    enabled: boolean().notNull().default(true),
    revision: integer().notNull().default(1),
    /** The revision that every contract has; null before the first time. */
    appliedRevision: integer(),
    createdById: integer()
      .notNull()
      .references(() => users.id),
    updatedById: integer()
      .notNull()
      .references(() => users.id),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
    /** When its removal was requested; the row goes once its rules have left the contracts. */
    removedAt: moment(),
  },
  (t) => [
    // A project's templates.
    index("rule_templates_project_idx").on(t.projectId),
  ],
);

/** Which rule of a contract comes from which template, and where a contract parts with it. */
export const templateRules = pgTable(
  "template_rules",
  {
    contractId: integer()
      .notNull()
      .references(() => contracts.id, { onDelete: "cascade" }),
    templateId: integer()
      .notNull()
      .references(() => ruleTemplates.id, { onDelete: "cascade" }),
    /** Empty for a rule about the table. */
    columnName: text().notNull(),
    /** The rule's key, which it keeps while it is left out, so that its series continues. */
    key: uuid().notNull(),
    /** null while the rule follows the template. */
    departure: templateDeparture(),
    reason: text(),
    departedById: integer().references(() => users.id),
    departedAt: moment(),
  },
  (t) => [
    // A contract's rules from templates, and one of them.
    primaryKey({ columns: [t.contractId, t.templateId, t.columnName] }),
    // A template's rules, for its counts and the foreign key.
    index("template_rules_template_idx").on(t.templateId),
  ],
);

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
    /** The contract's version whose rules it measured; null before it is loaded, and from before versions were kept. */
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
