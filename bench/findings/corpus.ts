import type { ColumnKind } from "../../server/data-sources/dialects/dialect.ts";
import type { ObservedDatabase } from "../../server/findings/candidate.ts";
import { type ObservedTable, observe } from "../../server/profile/observed-table.ts";

/** An in-memory database in which faults are planted. Cells contain text, as a data source would return it. */
export type CorpusDatabase = {
  name: string;
  /** The database's current time, in milliseconds since 1970. */
  now: number;
  tables: CorpusTable[];
};

export type CorpusTable = {
  name: string;
  columns: CorpusColumn[];
  rows: Row[];
  loads?: Loads;
  /** Whether it is one of several tables alike, neither the first nor the last. */
  isPart?: boolean;
};

/** How rows come into a table, where somebody would miss them. */
export type Loads = {
  /** Which column says when. */
  column?: string;
  period?: "hour" | "day" | "week" | "month";
  /** The time between loads differs: that one is missing is only known in the end. */
  areUneven?: boolean;
  /** Each load comes whole. */
  areAtOnce?: boolean;
  /** Each load has about as many rows as the one before. */
  areAlike?: boolean;
  /** A reference of which each row over there has some here. */
  childrenOf?: string;
};

export type Row = (string | null)[];

export type CorpusColumn = {
  name: string;
  kind: ColumnKind;
  /** Whether the database declares it as its primary key or as a foreign key. */
  isDeclared: boolean;
  /** The column whose values it uses, whether or not the database declares that. */
  references?: { table: string; column: string } | undefined;
};

/**
 * Columns by name: `integer key` and `integer references orders.id` are declared in the database; `text in orders.no`
 * is an undeclared reference.
 */
export function columnsOf(columns: Readonly<Record<string, string>>): CorpusColumn[] {
  return Object.entries(columns).map(([name, described]) => {
    const [kind, role, target] = described.split(" ");
    const [table = "", column = ""] = target?.split(".") ?? [];
    return {
      name,
      kind: kind as ColumnKind,
      isDeclared: role === "key" || role === "references",
      ...(target && { references: { table, column } }),
    };
  });
}

/** The copy's rows can be changed without affecting the original; columns are shared. */
export const copyOf = (database: CorpusDatabase): CorpusDatabase => ({
  ...database,
  tables: database.tables.map((table) => ({ ...table, rows: table.rows.map((row) => [...row]) })),
});

export const observedDatabase = ({ tables, now }: CorpusDatabase): ObservedDatabase => ({
  tables: tables.map(observedTable),
  now,
});

const schemaName = "public";

export function observedTable({ name, columns, rows }: CorpusTable): ObservedTable {
  const facts = columns.map(({ isDeclared, references, ...column }) => {
    const isPrimaryKey = isDeclared && !references;
    return {
      name: column.name,
      type: types[column.kind],
      kind: column.kind,
      isNullable: !isPrimaryKey,
      isPrimaryKey,
      ...(isDeclared &&
        references && {
          references: { schemaName, tableName: references.table, columnName: references.column },
        }),
    };
  });
  return observe({ schemaName, tableName: name, columns: facts }, rows);
}

const types: Record<ColumnKind, string> = {
  integer: "bigint",
  decimal: "numeric",
  float: "double precision",
  text: "text",
  uuid: "uuid",
  date: "date",
  time: "timestamp with time zone",
  other: "boolean",
};
