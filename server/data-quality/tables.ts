import { sql } from "drizzle-orm";
import {
  boolean,
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
import { sampleModes } from "../data-sources/sample.ts";
import { dataSources } from "../data-sources/tables.ts";
import { createdAt, id, moment, updatedAt } from "../db/columns.ts";
import type { FieldChange } from "../edits/schema.ts";
import { recipients, silence } from "../notifications/tables.ts";
import { ruleTypes } from "./rules/rules.ts";
import { severities } from "./severities.ts";
import type { ContractContent } from "./version-schema.ts";

export const ruleType = pgEnum("rule_type", ruleTypes);
export const severity = pgEnum("severity", severities);
export const sampleMode = pgEnum("sample_mode", sampleModes);

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
