import type { DialectName } from "../data-sources/dialects/dialect.ts";

/** What goes to the process that parses SQL, and what comes back. */

export type StatementToRead = {
  /** One query, as `readableSql` makes it. */
  sql: string;
  dialect: DialectName;
  /** The tables that it may name. */
  tables: readonly {
    schemaName: string;
    tableName: string;
    isDefault: boolean;
    columns: readonly string[];
  }[];
};

/** A table as it is written in SQL; null for what is left out. */
export type TableInSql = { catalog: string | null; schema: string | null; table: string };

/** Columns are those of tables, by their place in `tables`; null for a column whose table the SQL does not tell. */
export type ColumnInSql = { table: number | null; column: string };

export type StatementRead = {
  tables: TableInSql[];
  /** The names of its common table expressions. */
  expressions: string[];
  /** The columns of the result in order, and what each is made from. */
  outputs: { name: string | null; isStar: boolean; from: ColumnInSql[] }[];
  /** Columns that decide which rows there are. */
  uses: ColumnInSql[];
};

export type ReadOutcome = { read: StatementRead } | { problem: string };
