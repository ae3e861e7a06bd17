import { sql } from "drizzle-orm";
import {
  doublePrecision,
  index,
  integer,
  jsonb,
  numeric,
  pgEnum,
  pgTable,
  text,
  uniqueIndex,
  uuid,
} from "drizzle-orm/pg-core";
import { users } from "../auth/tables.ts";
import { contracts, severity } from "../data-quality/tables.ts";
import type { RunCost } from "../data-sources/cost.ts";
import type { ColumnKind } from "../data-sources/dialects/dialect.ts";
import type { Sample } from "../data-sources/sample.ts";
import { dataSources } from "../data-sources/tables.ts";
import { id, moment } from "../db/columns.ts";
import type { Condition } from "./condition.ts";
import { findingKinds, findingStatuses } from "./kinds.ts";
import type { Lesson } from "./learned.ts";
import type { Review } from "./review.ts";
import {
  type FindingReview,
  type ProposedRule,
  type ShownEvidence,
  scanStatuses,
  type TaughtFigures,
  taughtVerdicts,
} from "./schema.ts";

export const findingKind = pgEnum("finding_kind", findingKinds);
export const findingStatus = pgEnum("finding_status", findingStatuses);
export const findingScanStatus = pgEnum("finding_scan_status", scanStatuses);

export type TableName = { schemaName: string; tableName: string };

export const findingScans = pgTable(
  "finding_scans",
  {
    id: id(),
    dataSourceId: integer()
      .notNull()
      .references(() => dataSources.id, { onDelete: "cascade" }),
    status: findingScanStatus().notNull().default("Running"),
    /** The tables that were asked for; null for all of them. */
    requested: jsonb().$type<TableName[]>(),
    requestedById: integer().references(() => users.id),
    tablesDone: integer().notNull().default(0),
    tablesTotal: integer().notNull().default(0),
    rowsRead: numeric({ mode: "number" }).notNull().default(0),
    /** What its statements have cost so far; null where statements cost nothing. */
    cost: jsonb().$type<RunCost>(),
    /** What could not be read, and why. */
    skipped: jsonb().$type<(TableName & { reason: string })[]>().notNull().default([]),
    /** What else a reader should know. */
    notes: jsonb().$type<string[]>().notNull().default([]),
    /** What was asked for while it ran, each like `requested`: looked at before it ends, where that was not done. */
    joined: jsonb().$type<(TableName[] | null)[]>().notNull().default([]),
    /** Tables whose findings are stored: a scan that is taken over goes on behind them. */
    stored: jsonb().$type<TableName[]>().notNull().default([]),
    /** Why it failed. */
    error: text(),
    startedAt: moment().notNull().defaultNow(),
    finishedAt: moment(),
    /** Who is working on it, and until when that is believed without a sign of life. */
    leaseToken: uuid().notNull(),
    leaseUntil: moment().notNull(),
    attempts: integer().notNull().default(1),
  },
  (t) => [
    // At most one scan of a data source is in progress; a second request joins it.
    uniqueIndex("finding_scans_running_idx").on(t.dataSourceId).where(sql`${t.status} = 'Running'`),
    // A data source's scans, newest first.
    index("finding_scans_source_idx").on(t.dataSourceId, t.id.desc()),
  ],
);

export const findings = pgTable(
  "findings",
  {
    id: id(),
    dataSourceId: integer()
      .notNull()
      .references(() => dataSources.id, { onDelete: "cascade" }),
    /** The latest scan that found it. */
    scanId: integer()
      .notNull()
      .references(() => findingScans.id, { onDelete: "cascade" }),
    schemaName: text().notNull(),
    tableName: text().notNull(),
    kind: findingKind().notNull(),
    /** Whose values are doubted. */
    columns: text().array().notNull(),
    /** What kinds of values they have; empty where no scan has said it yet. */
    columnKinds: text().array().$type<ColumnKind[]>().notNull().default([]),
    /** As it is shown: with what was learned from answers while it is open. */
    confidence: doublePrecision().notNull(),
    /** As the judge says. What is learned is always computed from it. */
    unlearned: doublePrecision().notNull(),
    learned: jsonb().$type<Lesson>(),
    /** What answers about single cells have changed in `unlearned`. */
    taught: jsonb().$type<TaughtFigures>(),
    severity: severity().notNull(),
    /** Confidence × severity × share of the rows: worst first. */
    rank: doublePrecision().notNull(),
    statement: text().notNull(),
    /** What a language model changed in it. */
    review: jsonb().$type<FindingReview>(),
    evidence: jsonb().$type<ShownEvidence>().notNull(),
    /** Which rows are doubted; null where it is rows that are missing. */
    condition: jsonb().$type<Condition>(),
    rule: jsonb().$type<ProposedRule>(),
    rowsSql: text(),
    failingRows: numeric({ mode: "number" }).notNull(),
    totalRows: numeric({ mode: "number" }).notNull(),
    sample: jsonb().$type<Sample>(),
    status: findingStatus().notNull().default("Open"),
    /** Why it was dismissed, in a person's words. */
    reason: text(),
    /** Who accepted or dismissed it. */
    decidedById: integer().references(() => users.id),
    /** The contract that took its rule. */
    contractId: integer().references(() => contracts.id),
    firstSeenAt: moment().notNull().defaultNow(),
    lastSeenAt: moment().notNull().defaultNow(),
  },
  (t) => [
    // A table's findings, for the next scan of it and for its pages.
    index("findings_table_idx").on(t.dataSourceId, t.schemaName, t.tableName),
    // What a page lists, worst first.
    index("findings_rank_idx").on(t.status, t.rank.desc(), t.id),
    index("findings_scan_idx").on(t.scanId),
    // What was answered about findings of a kind.
    index("findings_answered_idx")
      .on(t.dataSourceId, t.kind)
      .where(sql`${t.status} in ('Accepted', 'Dismissed')`),
    index("findings_contract_idx").on(t.contractId),
  ],
);

export const taughtVerdict = pgEnum("taught_verdict", taughtVerdicts);

/** What people said of single cells. Nothing of the table is kept: which row and value were meant is said by hashes. */
export const taughtCells = pgTable(
  "taught_cells",
  {
    id: id(),
    dataSourceId: integer()
      .notNull()
      .references(() => dataSources.id, { onDelete: "cascade" }),
    schemaName: text().notNull(),
    tableName: text().notNull(),
    columnName: text().notNull(),
    cell: text().notNull(),
    verdict: taughtVerdict().notNull(),
    answeredById: integer().references(() => users.id),
    answeredAt: moment().notNull().defaultNow(),
  },
  (t) => [
    // A table's answers; each cell is answered about once.
    uniqueIndex("taught_cells_cell_idx").on(t.dataSourceId, t.schemaName, t.tableName, t.columnName, t.cell),
  ],
);

/** The latest answer of a language model about each table: not asked for again while the model would see the same. */
export const findingReviews = pgTable(
  "finding_reviews",
  {
    id: id(),
    dataSourceId: integer()
      .notNull()
      .references(() => dataSources.id, { onDelete: "cascade" }),
    schemaName: text().notNull(),
    tableName: text().notNull(),
    /** Which model was asked, and what it was shown, as a keyed hash. */
    shown: text().notNull(),
    model: text().notNull(),
    review: jsonb().$type<Review>().notNull(),
    reviewedAt: moment().notNull().defaultNow(),
  },
  (t) => [uniqueIndex("finding_reviews_table_idx").on(t.dataSourceId, t.schemaName, t.tableName)],
);
