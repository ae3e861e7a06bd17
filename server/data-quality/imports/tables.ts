import { index, integer, jsonb, pgTable, primaryKey, text, uniqueIndex, uuid } from "drizzle-orm/pg-core";
import { dataSources } from "../../data-sources/tables.ts";
import { id, moment } from "../../db/columns.ts";
import { contracts } from "../tables.ts";
import type { ImportedRule } from "./suite.ts";

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
