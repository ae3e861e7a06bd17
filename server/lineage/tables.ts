import { boolean, index, integer, jsonb, pgEnum, pgTable, primaryKey, text } from "drizzle-orm/pg-core";
import { dataSources } from "../data-sources/tables.ts";
import { id, moment } from "../db/columns.ts";
import { projects } from "../projects/tables.ts";
import { queries } from "../queries/tables.ts";
import { type ColumnPair, lineageVias } from "./schema.ts";

export const lineageVia = pgEnum("lineage_via", lineageVias);

/** One table that another table, or a query, is made from. Tables by name, as they may come and go. */
export const lineageEdges = pgTable(
  "lineage_edges",
  {
    id: id(),
    projectId: integer()
      .notNull()
      .references(() => projects.id, { onDelete: "cascade" }),
    via: lineageVia().notNull(),
    /** What says so, within its kind: the view's or the query's key, the job. Its edges are replaced together. */
    origin: text().notNull(),
    fromDataSourceId: integer()
      .notNull()
      .references(() => dataSources.id, { onDelete: "cascade" }),
    fromSchemaName: text().notNull(),
    fromTableName: text().notNull(),
    /** null if a query reads it. */
    toDataSourceId: integer().references(() => dataSources.id, { onDelete: "cascade" }),
    toSchemaName: text(),
    toTableName: text(),
    toQueryId: integer().references(() => queries.id, { onDelete: "cascade" }),
    columns: jsonb().$type<ColumnPair[]>().notNull(),
    /** false: the SQL could not be read, but names the table. */
    isCertain: boolean().notNull(),
    since: moment().notNull().defaultNow(),
    lastSeenAt: moment().notNull().defaultNow(),
  },
  (t) => [
    // What comes from a table, and what a table comes from.
    index("lineage_edges_from_idx").on(t.fromDataSourceId, t.fromTableName),
    index("lineage_edges_to_idx").on(t.toDataSourceId, t.toTableName),
    index("lineage_edges_query_idx").on(t.toQueryId),
    // What one origin said before.
    index("lineage_edges_origin_idx").on(t.projectId, t.via, t.origin),
  ],
);

/** The SQL of views and of queries' steps that was read, so that the same is not parsed again. */
export const lineageStatements = pgTable(
  "lineage_statements",
  {
    dataSourceId: integer()
      .notNull()
      .references(() => dataSources.id, { onDelete: "cascade" }),
    /** `view:["public","orders"]`, or `query:7:1` with its step. */
    key: text().notNull(),
    queryId: integer().references(() => queries.id, { onDelete: "cascade" }),
    /** Of a query: the version whose SQL it was. */
    versionId: integer(),
    /** Of the SQL, and of the tables that it names with their columns. */
    hash: text().notNull(),
    /** What could not be read of it; null if all could. */
    problem: text(),
    readAt: moment().notNull().defaultNow(),
  },
  (t) => [
    primaryKey({ columns: [t.dataSourceId, t.key] }),
    index("lineage_statements_query_idx").on(t.queryId),
  ],
);

/** When the views of a data source were last read, and why not. */
export const lineageSources = pgTable("lineage_sources", {
  dataSourceId: integer()
    .primaryKey()
    .references(() => dataSources.id, { onDelete: "cascade" }),
  readAt: moment(),
  problem: text(),
});
