import { sql } from "drizzle-orm";
import {
  boolean,
  date,
  doublePrecision,
  index,
  integer,
  jsonb,
  pgEnum,
  pgTable,
  text,
  unique,
  uniqueIndex,
} from "drizzle-orm/pg-core";
import { users } from "../auth/tables.ts";
import { bytes, createdAt, id, moment, updatedAt } from "../db/columns.ts";
import { projects } from "../projects/tables.ts";
import type { PublicConnection } from "./connections/connection.ts";
import { costUnits } from "./cost.ts";
import type { DatabaseSchema } from "./database-schema.ts";
import { kinds } from "./kinds.ts";

export const dataSourceKind = pgEnum("data_source_kind", kinds);
export const costUnit = pgEnum("cost_unit", costUnits);

export const dataSources = pgTable(
  "data_sources",
  {
    id: id(),
    projectId: integer()
      .notNull()
      .references(() => projects.id),
    name: text().notNull(),
    kind: dataSourceKind().notNull(),
    /** Everything but the secret. */
    connection: jsonb().$type<PublicConnection>().notNull(),
    /** The password or secret headers, encrypted with AES-256-GCM and bound to this row's id. */
    secret: bytes(),
    /** Where the secret is kept instead, as entered: it is no secret itself. */
    secretReferences: text().array().notNull().default([]),
    /** Whether the login could write when last tested; null if unknown. */
    canWrite: boolean(),
    /** User-defined functions that SQL may call, as `name` or `schema.name`, in lowercase. */
    allowedFunctions: text().array().notNull().default([]),
    /** What its statements may cost in a day of UTC, in the unit of its kind; null for no limit. */
    dailyBudget: doublePrecision(),
    /** Incremented by every edit. */
    revision: integer().notNull().default(1),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (t) => [
    // The data sources of a project.
    index("data_sources_project_idx").on(t.projectId),
  ],
);

/** What the statements of a day of UTC have cost, by what they ran for. */
export const dataSourceCosts = pgTable(
  "data_source_costs",
  {
    dataSourceId: integer()
      .notNull()
      .references(() => dataSources.id, { onDelete: "cascade" }),
    day: date().notNull(),
    /** The data contract, if they ran for one. */
    contractId: integer(),
    unit: costUnit().notNull(),
    amount: doublePrecision().notNull(),
    statements: integer().notNull(),
  },
  (t) => [
    // What a data source has spent today and lately; one row for each contract and day.
    unique("data_source_costs_day_idx").on(t.dataSourceId, t.day, t.contractId, t.unit).nullsNotDistinct(),
    // What a contract has cost lately.
    index("data_source_costs_contract_idx").on(t.contractId, t.day).where(sql`${t.contractId} is not null`),
  ],
);

/** When a database is scanned for faults on its own; the id is that of the data source. */
export const scanSchedules = pgTable(
  "scan_schedules",
  {
    id: integer()
      .primaryKey()
      .references(() => dataSources.id, { onDelete: "cascade" }),
    cronExpression: text().notNull(),
    timezone: text().notNull(),
    /** null when the expression has no further dates. */
    nextRunAt: moment(),
  },
  (t) => [
    // Those that are due.
    index("scan_schedules_due_idx").on(t.nextRunAt).where(sql`${t.nextRunAt} is not null`),
  ],
);

/** The last introspection result, so that pickers open immediately. */
export const dataSourceSchemas = pgTable("data_source_schemas", {
  dataSourceId: integer()
    .primaryKey()
    .references(() => dataSources.id, { onDelete: "cascade" }),
  items: jsonb().$type<DatabaseSchema["items"]>().notNull(),
  readAt: moment().notNull().defaultNow(),
});

/** Words by which tables are found and selected. By name, like descriptions; a table without tags has no row. */
export const tableTags = pgTable(
  "table_tags",
  {
    dataSourceId: integer()
      .notNull()
      .references(() => dataSources.id, { onDelete: "cascade" }),
    schemaName: text().notNull(),
    tableName: text().notNull(),
    /** In lower case and alphabetical order, each once. */
    tags: text().array().notNull(),
    updatedAt: moment().notNull().defaultNow(),
    /** By which files own them, and edits are kept. */
    id: id(),
    /** Incremented by every edit. */
    revision: integer().notNull().default(1),
  },
  (t) => [uniqueIndex("table_tags_table_idx").on(t.dataSourceId, t.schemaName, t.tableName)],
);

/**
 * User-written descriptions of tables and columns. By name, independent of introspection: they survive re-reading the
 * schema, and a table that is temporarily missing.
 */
export const catalogDescriptions = pgTable(
  "catalog_descriptions",
  {
    id: id(),
    dataSourceId: integer()
      .notNull()
      .references(() => dataSources.id, { onDelete: "cascade" }),
    schemaName: text().notNull(),
    tableName: text().notNull(),
    /** null for the description of the table itself. */
    columnName: text(),
    description: text().notNull(),
    updatedById: integer()
      .notNull()
      .references(() => users.id),
    updatedAt: moment().notNull().defaultNow(),
  },
  (t) => [
    // One per table and per column. Also finds all of a data source or of one table.
    unique("catalog_descriptions_name_idx")
      .on(t.dataSourceId, t.schemaName, t.tableName, t.columnName)
      .nullsNotDistinct(),
  ],
);
