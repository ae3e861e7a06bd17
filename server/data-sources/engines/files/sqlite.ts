import { DatabaseSync, type SQLOutputValue } from "node:sqlite";
import { setImmediate as turn } from "node:timers/promises";
import {
  BIGINT,
  BLOB,
  DOUBLE,
  DuckDBBlobValue,
  type DuckDBConnection,
  DuckDBDataChunk,
  type DuckDBType,
  type DuckDBValue,
  VARCHAR,
} from "@duckdb/node-api";
import { duckdb } from "../../dialects/duckdb.ts";
import { rowsInMessage } from "../duckdb/batch.ts";
import type { Cell } from "../engine.ts";
import type { DatabaseFile } from "./find-files.ts";

/**
 * Tables of an SQLite file. DuckDB reads them only by an extension, which would have to be downloaded; so Node's own
 * SQLite reads the tables that a statement names, and DuckDB gets their rows.
 *
 * In SQLite each value has its own type. A column has the type that all its values have, and is text if they differ.
 */

const { literal, quote } = duckdb;

/** The rows are copied for each version of the file, so it must not be large. */
const maxBytes = 512 * 1024 * 1024;

type Column = { name: string; type: string; nullable: boolean; isPrimaryKey: boolean };
export type SqliteTable = { name: string; kind: "Table" | "View" };

/** Opens the file read-only for the work, and closes it. */
export async function withSqlite<T>(
  { path, shown, size }: Pick<DatabaseFile, "path" | "shown" | "size">,
  work: (database: DatabaseSync) => Promise<T> | T,
): Promise<T> {
  if (size > maxBytes)
    throw new Error(`${shown} is larger than 512 MiB: SQLite files of that size are not read`);
  const database = new DatabaseSync(path, { readOnly: true, allowExtension: false, timeout: 5000 });
  try {
    return await work(database);
  } finally {
    database.close();
  }
}

export const sqliteTables = (database: DatabaseSync): SqliteTable[] =>
  database
    .prepare(
      "select name, type from sqlite_schema where type in ('table', 'view') and name not like 'sqlite\\_%' escape '\\'",
    )
    .all()
    .map(({ name, type }) => ({ name: String(name), kind: type === "view" ? "View" : "Table" }));

/** The rows of an introspection, without their schema (schema-tree.ts). */
export function describeSqlite(
  database: DatabaseSync,
  schemaName: string,
  { name, kind }: SqliteTable,
): Cell[][] {
  const { columns, rows } = shapeOf(database, name);
  const links = new Map(
    database
      .prepare(`select "from", "table", "to" from pragma_foreign_key_list(?)`)
      .all(name)
      .map(({ from, table, to }) => [
        String(from),
        [String(table), to === null ? null : String(to)] as const,
      ]),
  );
  return columns.map((column) => {
    const [table = null, to = null] = links.get(column.name) ?? [];
    const target = to === null ? [null, null, null] : [schemaName, table, to];
    return [
      ...[name, kind, kind === "Table" ? rows : null, null],
      ...[column.name, column.type, column.nullable, null, column.isPrimaryKey, ...target],
    ];
  });
}

/** Copies a table into DuckDB, by the name that it has here. */
export async function copySqlite(
  database: DatabaseSync,
  connection: DuckDBConnection,
  schemaName: string,
  { name }: SqliteTable,
): Promise<void> {
  const { columns } = shapeOf(database, name);
  const raw = "rows of sqlite";
  const kinds = columns.map(({ type }) => carriers[type] ?? VARCHAR);
  const defined = columns.map((column, index) => `${quote(column.name)} ${kinds[index]}`);
  await connection.run(`create schema if not exists ${quote(schemaName)}`);
  await connection.run(`create table ${quote(raw)} (${defined.join(", ")})`);
  const appender = await connection.createAppender(raw);
  const reading = database.prepare(`select * from ${quote(name)}`);
  reading.setReadBigInts(true);
  reading.setReturnArrays(true);
  let batch: SQLOutputValue[][] = [];
  const flush = async () => {
    if (batch.length === 0) return;
    const chunk = DuckDBDataChunk.create(kinds, batch.length);
    for (const [index, kind] of kinds.entries())
      chunk.setColumnValues(
        index,
        batch.map((row) => carried(row[index] ?? null, kind)),
      );
    appender.appendDataChunk(chunk);
    batch = [];
    // Lets this process notice that it is to stop, or uses too much memory.
    await turn();
  };
  for (const row of reading.iterate() as unknown as Iterable<SQLOutputValue[]>) {
    batch.push(row);
    if (batch.length === rowsInMessage) await flush();
  }
  await flush();
  appender.closeSync();
  const typed = columns.map(
    (column) => `cast(${quote(column.name)} as ${column.type}) as ${quote(column.name)}`,
  );
  await connection.run(
    `create table ${quote(schemaName)}.${quote(name)} as select ${typed.join(", ")} from ${quote(raw)}`,
  );
  await connection.run(`drop table ${quote(raw)}`);
}

/** As what values are handed over; dates and times as texts. */
const carriers: Readonly<Record<string, DuckDBType>> = { bigint: BIGINT, double: DOUBLE, blob: BLOB };

function carried(value: SQLOutputValue, kind: DuckDBType): DuckDBValue {
  if (value === null) return null;
  if (kind === DOUBLE) return Number(value);
  if (value instanceof Uint8Array)
    return kind === BLOB ? new DuckDBBlobValue(value) : `\\x${Buffer.from(value).toString("hex")}`;
  return kind === BIGINT ? value : String(value);
}

const counted = ["integer", "real", "text", "blob"] as const;

function shapeOf(database: DatabaseSync, table: string): { columns: Column[]; rows: number } {
  const described = database
    .prepare('select name, type, "notnull", pk from pragma_table_xinfo(?) where hidden <> 1')
    .all(table);
  const columns: Column[] = [];
  let rows = 0;
  // SQLite answers at most 2,000 expressions.
  for (let from = 0; from < described.length; from += 200) {
    const some = described.slice(from, from + 200);
    const expressions = some.flatMap(({ name, type }) => {
      const column = quote(String(name));
      const times = isTime(String(type)) ? [dates(column), moments(column)] : ["0", "0"];
      return [...counted.map((kind) => `total(typeof(${column}) = ${literal(kind)})`), ...times];
    });
    const reading = database.prepare(`select count(*), ${expressions.join(", ")} from ${quote(table)}`);
    reading.setReturnArrays(true);
    const [count = 0, ...figures] = Object.values(reading.get() ?? []).map(Number);
    rows = count;
    for (const [index, { name, type, notnull, pk }] of some.entries())
      columns.push({
        name: String(name),
        type: typeBy(figures.slice(index * 6, (index + 1) * 6), String(type)),
        nullable: Number(notnull) === 0 && Number(pk) === 0,
        isPrimaryKey: Number(pk) > 0,
      });
  }
  return { columns, rows };
}

const isTime = (declared: string) => /date|time/i.test(declared);
const dates = (column: string) => `total(typeof(${column}) = 'text' and date(${column}) = ${column})`;
const moments = (column: string) =>
  `total(typeof(${column}) = 'text' and length(${column}) between 19 and 26 and substr(${column}, 20) glob '.[0-9]*' = (length(${column}) > 19)
    and strftime('%Y-%m-%d %H:%M:%S', ${column}) = replace(substr(${column}, 1, 19), 'T', ' '))`;

function typeBy(figures: readonly number[], declared: string): string {
  const [integers = 0, reals = 0, texts = 0, blobs = 0, days, times] = figures;
  const values = integers + reals + texts + blobs;
  if (values === 0) return emptyType(declared);
  if (integers === values) return "bigint";
  if (integers + reals === values) return "double";
  if (blobs === values) return "blob";
  if (days === values) return "date";
  return times === values ? "timestamp" : "varchar";
}

/** By SQLite's own rules for what a declared type means. */
function emptyType(declared: string): string {
  if (/int/i.test(declared)) return "bigint";
  if (/char|clob|text/i.test(declared)) return "varchar";
  if (/^datetime|^timestamp/i.test(declared)) return "timestamp";
  if (/^date/i.test(declared)) return "date";
  if (/blob/i.test(declared)) return "blob";
  return /real|floa|doub|num|dec/i.test(declared) ? "double" : "varchar";
}
