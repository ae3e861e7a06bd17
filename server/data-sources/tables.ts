import { boolean, index, integer, jsonb, pgEnum, pgTable, text } from "drizzle-orm/pg-core";
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
