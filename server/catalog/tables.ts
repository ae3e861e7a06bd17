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

/** Data sources whose tables can be searched: as of which reading of their schemas, and with which descriptions. */
export const catalogSources = pgTable(
  "catalog_sources",
  {
    dataSourceId: integer().primaryKey(),
    readAt: moment().notNull(),
    /** How many, and the sum of their moments: another after every change of them. */
    descriptions: text().notNull(),
  },
  (t) => [
    // What was read is forgotten when the connection leads elsewhere.
    foreignKey({
      name: "catalog_sources_schema_fk",
      columns: [t.dataSourceId],
      foreignColumns: [dataSourceSchemas.dataSourceId],
    }).onDelete("cascade"),
  ],
);

/**
 * Everything that can be searched, as copies which service/index-entries.ts keeps: tables and columns as data sources
 * were last read, and the queries, contracts and actors that are not archived.
 *
 * The words are those of search-words.ts: a migration that follows a change of them empties this table and
 * catalog_sources, and the next search fills them again.
 */
export const catalogEntries = pgTable(
  "catalog_entries",
  {
    id: id(),
    kind: catalogEntryKind().notNull(),
    /** Of a table or a column: where it was read, and so whose project it is in. */
    sourceId: integer(),
    /** Of a query, a contract or an actor. */
    objectId: integer(),
    projectId: integer(),
    /** What a contract or an actor watches. */
    dataSourceId: integer(),
    /** A table's or a column's own; a contract's target. */
    schemaName: text(),
    tableName: text(),
    name: text().notNull(),
    /** What people say of it, or else the database's comment; an actor's instructions. */
    description: text(),
    /** The words of its own name. */
    names: tsvector().notNull(),
    /** Those, and the words of its schema, its table and its description. */
    document: tsvector().notNull(),
  },
  (t) => [
    foreignKey({
      name: "catalog_entries_source_fk",
      columns: [t.sourceId],
      foreignColumns: [catalogSources.dataSourceId],
    }).onDelete("cascade"),
    uniqueIndex("catalog_entries_object_idx").on(t.kind, t.objectId),
    // A data source's tables and columns, when they are read anew.
    index("catalog_entries_source_idx").on(t.sourceId),
    // What is searched; kept in order at once, as searches would read through what waits to be.
    index("catalog_entries_document_idx").using("gin", t.document).with({ fastupdate: false }),
  ],
);

/** Words that names in a data source are made of, so that a mistyped word is compared with few others. */
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
