import { boolean, index, integer, jsonb, pgEnum, pgTable, text, unique } from "drizzle-orm/pg-core";
import { users } from "../auth/tables.ts";
import { bytes, createdAt, id, moment, updatedAt } from "../db/columns.ts";
import { projects } from "../projects/tables.ts";
import { type DatabaseSchema, kinds, type PublicConnection } from "./schema.ts";

export const dataSourceKind = pgEnum("data_source_kind", kinds);

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
    /** The password (or secret headers), encrypted with AES-256-GCM and bound to this row's identity. */
    secret: bytes(),
    /** Whether the login could write when it was last tested; null when that is not known. */
    canWrite: boolean(),
    /** Functions of its own that SQL may call, as `name` or `schema.name`, in lower case. */
    allowedFunctions: text().array().notNull().default([]),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (t) => [
    // The data sources of a project.
    index("data_sources_project_idx").on(t.projectId),
  ],
);

/** What introspection last found, so that pickers open at once. */
export const dataSourceSchemas = pgTable("data_source_schemas", {
  dataSourceId: integer()
    .primaryKey()
    .references(() => dataSources.id, { onDelete: "cascade" }),
  items: jsonb().$type<DatabaseSchema["items"]>().notNull(),
  readAt: moment().notNull().defaultNow(),
});

/**
 * What people here say of tables and columns. By name, and without a look at what introspection found: it outlives
 * a schema that is read anew, and a table that is gone for a while.
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
    /** null where it is the table itself that is described. */
    columnName: text(),
    description: text().notNull(),
    updatedById: integer()
      .notNull()
      .references(() => users.id),
    updatedAt: moment().notNull().defaultNow(),
  },
  (t) => [
    // One of each table and each column; and all of a data source, or of one table.
    unique("catalog_descriptions_name_idx")
      .on(t.dataSourceId, t.schemaName, t.tableName, t.columnName)
      .nullsNotDistinct(),
  ],
);
