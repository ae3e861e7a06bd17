import {
  customType,
  foreignKey,
  index,
  integer,
  pgEnum,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
} from "drizzle-orm/pg-core";
import { dataSourceSchemas } from "../data-sources/tables.ts";
import { id, moment } from "../db/columns.ts";
import { hitKinds } from "./schema.ts";

const tsvector = customType<{ data: string }>({ dataType: () => "tsvector" });

export const catalogEntryKind = pgEnum("catalog_entry_kind", hitKinds);

/** Data sources whose tables are indexed, with the version of the schema and descriptions that the index has. */
export const catalogSources = pgTable(
  "catalog_sources",
  {
    dataSourceId: integer().primaryKey(),
    readAt: moment().notNull(),
    /** Their number and the sum of their timestamps, which changes with every edit. */
    descriptions: text().notNull(),
  },
  (t) => [
    // What was read of the schema is deleted when the connection points to a different database.
    foreignKey({
      name: "catalog_sources_schema_fk",
      columns: [t.dataSourceId],
      foreignColumns: [dataSourceSchemas.dataSourceId],
    }).onDelete("cascade"),
  ],
);

/**
 * The search index, maintained by service/index-entries.ts: tables and columns as last read, and queries, contracts, and
 * actors that are not archived.
 *
 * Its words are defined by search-words.ts: a migration after a change there must empty this table and catalog_sources,
 * and the next search rebuilds them.
 */
export const catalogEntries = pgTable(
  "catalog_entries",
  {
    id: id(),
    kind: catalogEntryKind().notNull(),
    /** For a table or column: its data source, which determines the project. */
    sourceId: integer(),
    /** For a query, contract, or actor. */
    objectId: integer(),
    projectId: integer(),
    /** The data source of a contract or actor. */
    dataSourceId: integer(),
    /** A table's or column's own; a contract's target. */
    schemaName: text(),
    tableName: text(),
    name: text().notNull(),
    /** Our description, otherwise the database's comment; an actor's instructions. */
    description: text(),
    /** For a table: what it and its columns were indexed from, so that it is indexed again once that differs. */
    fingerprint: text(),
    /** The words of its own name. */
    names: tsvector().notNull(),
    /** The same plus the words of its schema, table, and description. */
    document: tsvector().notNull(),
  },
  (t) => [
    foreignKey({
      name: "catalog_entries_source_fk",
      columns: [t.sourceId],
      foreignColumns: [catalogSources.dataSourceId],
    }).onDelete("cascade"),
    uniqueIndex("catalog_entries_object_idx").on(t.kind, t.objectId),
    // To replace tables and their columns that have changed when a data source's schema is read again.
    index("catalog_entries_table_idx").on(t.sourceId, t.schemaName, t.tableName),
    // For searches. No fastupdate, since searches would have to scan the pending list.
    index("catalog_entries_document_idx").using("gin", t.document).with({ fastupdate: false }),
  ],
);

/** The words used in a data source's names, so that a misspelled word is compared with only a few others. */
export const catalogWords = pgTable(
  "catalog_words",
  { dataSourceId: integer().notNull(), word: text().notNull() },
  (t) => [
    primaryKey({ columns: [t.dataSourceId, t.word] }),
    foreignKey({
      name: "catalog_words_source_fk",
      columns: [t.dataSourceId],
      foreignColumns: [catalogSources.dataSourceId],
    }).onDelete("cascade"),
  ],
);
