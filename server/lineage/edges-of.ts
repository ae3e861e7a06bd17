import type { ColumnPair } from "./schema.ts";
import type { ColumnInSql, StatementRead, TableInSql } from "./statement.ts";

/** From what a parser read to known tables and their columns. Pure. */

export type KnownTable = { schemaName: string; tableName: string; columns: readonly string[] };

export type Names = {
  /** Tables by their name in lower case. */
  byName: ReadonlyMap<string, readonly KnownTable[]>;
  defaultSchema: string;
  /** The connected database, for names of three parts. */
  database: string;
};

/** Tables that a statement reads, and the columns of each with those of the result. */
export type ReadTable = { table: KnownTable; columns: ColumnPair[]; isCertain: boolean };

const maxColumns = 500;

/**
 * The known table of that name: in its schema; without one, in the default schema, or the only one of that name. Case counts
 * only if two tables differ by it. null for a table of another database, or that is not known.
 */
export function tableNamed(
  { byName, defaultSchema, database }: Names,
  { catalog, schema, table }: TableInSql,
): KnownTable | null {
  if (catalog !== null && catalog.toLowerCase() !== database.toLowerCase()) return null;
  const same = byName.get(table.toLowerCase()) ?? [];
  const inSchema = (wanted: string) =>
    same.filter(({ schemaName }) => schemaName.toLowerCase() === wanted.toLowerCase());
  const found = schema !== null ? inSchema(schema) : inSchema(defaultSchema);
  const fitting = found.length > 0 || schema !== null ? found : same.length === 1 ? same : [];
  return fitting.find(({ tableName }) => tableName === table) ?? fitting[0] ?? null;
}

/**
 * What a statement reads. `outputs` are the names of the result's columns, if they are known: those of a view. Also says which
 * names are no known tables.
 */
export function tablesRead(
  names: Names,
  { tables, outputs, uses }: StatementRead,
  resultColumns: readonly string[] | null,
): { read: ReadTable[]; unknown: string[] } {
  const found = tables.map((table) => tableNamed(names, table));
  const pairs = new Map<KnownTable, Map<string, ColumnPair>>();
  for (const table of found) if (table) pairs.set(table, pairs.get(table) ?? new Map());
  const add = ({ table: place, column }: ColumnInSql, to: string | null) => {
    const table = place === null ? null : found[place];
    const from = table?.columns.find((each) => each.toLowerCase() === column.toLowerCase());
    if (!table || from === undefined) return;
    const own = pairs.get(table);
    if (own && own.size < maxColumns) own.set(JSON.stringify([from, to]), { from, to });
  };
  const inOrder = resultColumns?.length === outputs.length ? resultColumns : null;
  for (const [place, { name, isStar, from }] of outputs.entries()) {
    const to = inOrder?.[place] ?? columnNamed(resultColumns, name);
    if (to !== null && !isStar) for (const column of from) add(column, to);
  }
  for (const column of uses) add(column, null);
  return {
    read: [...pairs].map(([table, columns]) => ({
      ...{ table, isCertain: true },
      columns: withoutMere([...columns.values()]),
    })),
    unknown: tables.flatMap((table, place) => (found[place] ? [] : written(table))),
  };
}

function columnNamed(columns: readonly string[] | null, name: string | null): string | null {
  if (columns === null || name === null) return name;
  return columns.find((each) => each.toLowerCase() === name.toLowerCase()) ?? null;
}

/** A column that the result has needs not be said to decide about rows, too. */
function withoutMere(pairs: readonly ColumnPair[]): ColumnPair[] {
  const shown = new Set(pairs.flatMap(({ from, to }) => (to === null ? [] : from)));
  return pairs.filter(({ from, to }) => to !== null || !shown.has(from));
}

const written = ({ catalog, schema, table }: TableInSql) =>
  [catalog, schema, table].filter((part) => part !== null).join(".");
