import { createHash } from "node:crypto";
import { join } from "node:path";
import type { DuckDBConnection } from "@duckdb/node-api";
import type { DatabaseSchema } from "../../database-schema.ts";
import { duckdb } from "../../dialects/duckdb.ts";
import type { Cell } from "../engine.ts";
import { schemaOf } from "../schema-tree.ts";
import { failureOf } from "./failures.ts";
import { type DatabaseFile, findFiles } from "./find-files.ts";
import type { Place } from "./messages.ts";
import { type Shape, shapeOf, viewColumns } from "./shape-of.ts";
import { describeSqlite, sqliteTables, withSqlite } from "./sqlite.ts";
import { type FilesTable, tablesOf, versionOf } from "./tables-of.ts";
import { openWalled } from "./walled-database.ts";

const { foldName, literal, quote } = duckdb;

export type Listing = { tables: FilesTable[]; databases: DatabaseFile[] };

/** A table or view of a database file, by the schema and name that it gets here. */
export type DatabaseTable = { schemaName: string; tableName: string; source: string };

/** Where files are copied to that DuckDB cannot read as they are. */
const copiesIn = ({ spillFolder }: Place) => join(spillFolder, "copies");

/** How long a listing of the folder counts. */
const freshMs = 1_000;
const maxShapes = 20_000;

/**
 * What is in the folder, and how it is read: looked at by a database that reaches the folder only. How a table is read
 * is remembered until one of its files changes.
 */
export class Catalog {
  readonly #place: Place;
  #connection: Promise<DuckDBConnection> | null = null;
  #listing: { at: number; listing: Listing } | null = null;
  #isInterrupted = false;
  readonly #shapes = new Map<string, { version: string; shape: Shape }>();

  constructor(place: Place) {
    this.#place = place;
  }

  begin(): void {
    this.#isInterrupted = false;
  }

  async list(): Promise<Listing> {
    const { folder, patterns, only, isFilled = false } = this.#place;
    if (!isFilled && this.#listing && performance.now() - this.#listing.at < freshMs)
      return this.#listing.listing;
    const found = findFiles(folder, patterns, only?.file);
    const tables = await tablesOf(await this.#connected(), found);
    const listing = {
      tables: only ? tables.map((table) => ({ ...table, name: only.tableName })) : tables,
      databases: distinct(found.databases),
    };
    this.#listing = { at: performance.now(), listing };
    return listing;
  }

  /** Looks at the folder again for the next statement. */
  forget(): void {
    this.#listing = null;
  }

  /** Throws what is wrong with its files. */
  async shape(table: FilesTable, isThorough = false): Promise<Shape> {
    const known = this.#shapes.get(table.name);
    if (known?.version === table.version && (known.shape.isWhole || !isThorough)) return known.shape;
    const copies = copiesIn(this.#place);
    const shape = await shapeOf(await this.#connected(), table, { isThorough, copies });
    if (this.#shapes.size >= maxShapes) this.#shapes.clear();
    this.#shapes.set(table.name, { version: table.version, shape });
    return shape;
  }

  /** All tables with their columns. One that cannot be read is listed without columns, and says why. */
  async introspect(): Promise<DatabaseSchema> {
    const { tables, databases } = await this.list();
    const connection = await this.#connected();
    const rows: Cell[][] = [];
    for (const table of tables) rows.push(...(await this.#describe(connection, table)));
    for (const database of databases) rows.push(...(await this.#describeDatabase(database)));
    return schemaOf(rows.sort(byName));
  }

  async #describe(connection: DuckDBConnection, table: FilesTable): Promise<Cell[][]> {
    try {
      const { sql, rows, columns: known } = await this.shape(table);
      const columns = known ?? (await viewColumns(connection, sql));
      return columns.map(({ name, type }) => [
        ...["main", table.name, "Table", rows, commentOn(table)],
        ...[name, type, true, null, false, null, null, null],
      ]);
    } catch (error) {
      if (this.#isInterrupted) throw error;
      const { message } = failureOf(error, this.#place.folder);
      return [["main", table.name, "Table", null, `Cannot be read: ${message}`, null]];
    }
  }

  async #describeDatabase(database: DatabaseFile): Promise<Cell[][]> {
    const described =
      database.kind === "sqlite" ? this.#describeSqlite(database) : this.#describeDuckDb(database);
    return described.catch((error) => {
      if (this.#isInterrupted) throw error;
      const { message } = failureOf(error, this.#place.folder);
      return [[database.name, database.name, "Table", null, `Cannot be read: ${message}`, null]];
    });
  }

  #describeSqlite(database: DatabaseFile): Promise<Cell[][]> {
    return withSqlite(database, (sqlite) =>
      sqliteTables(sqlite).flatMap((table) =>
        describeSqlite(sqlite, database.name, table).map((row) => [database.name, ...row]),
      ),
    );
  }

  #describeDuckDb(database: DatabaseFile): Promise<Cell[][]> {
    return this.#attached(database, async (connection) => {
      const rows = (await connection.runAndReadAll(columnsQuery)).getRows();
      return rows.map(([schema, ...rest]) => [
        schemaNameOf(database, String(schema)),
        ...rest.map((cell, index) => {
          // The schema that a foreign key leads to.
          if (index === 9 && cell !== null) return schemaNameOf(database, String(cell));
          return typeof cell === "bigint" ? Number(cell) : (cell as Cell);
        }),
      ]);
    });
  }

  /** Schema, name, number of rows if it is known, and a text that is another one once the files have changed. */
  async statistics(): Promise<(readonly [string, string, number | null, string])[]> {
    const { tables, databases } = await this.list();
    const ofFiles = tables.map(({ name, version }) => {
      const known = this.#shapes.get(name);
      const rows = known?.version === version ? known.shape.rows : null;
      return ["main", name, rows, digest(version)] as const;
    });
    const ofDatabases = await Promise.all(
      databases.map((database) => {
        if (database.kind === "sqlite") return sqliteStatistics(database);
        return this.#attached(database, async (connection) => {
          const sql = `select schema_name, table_name, estimated_size from duckdb_tables() where database_name = ${literal(aliasOf(database))}`;
          return (await connection.runAndReadAll(sql)).getRows().map(([schema, name, rows]) => {
            const version = digest(versionOf([database]));
            return [schemaNameOf(database, String(schema)), String(name), Number(rows), version] as const;
          });
        }).catch(() => []);
      }),
    );
    return [...ofFiles, ...ofDatabases.flat()];
  }

  /** Only for as long as it takes: another program can write to the file while it is not open. */
  async #attached<T>(database: DatabaseFile, work: (connection: DuckDBConnection) => Promise<T>): Promise<T> {
    const { memoryMb, spillFolder } = this.#place;
    const instance = await openWalled({
      ...{ memoryMb: Math.floor(memoryMb / 4), spillFolder, reach: { files: [] } },
      attached: new Map([[aliasOf(database), database.path]]),
    });
    const connection = await instance.connect();
    try {
      return await work(connection);
    } finally {
      await detach(connection, [database]);
      connection.closeSync();
      instance.closeSync();
    }
  }

  /** Ends what is being looked at, until `begin` is called. */
  interrupt(): void {
    this.#isInterrupted = true;
    void this.#connection?.then((connection) => connection.interrupt());
  }

  async version(): Promise<string> {
    const connection = await this.#connected();
    const [[version] = []] = (await connection.runAndReadAll("select version()")).getRows();
    return String(version).replace(/^v/, "");
  }

  #connected(): Promise<DuckDBConnection> {
    const { folder, memoryMb, spillFolder } = this.#place;
    this.#connection ??= openWalled({
      ...{
        memoryMb: Math.floor(memoryMb / 4),
        spillFolder,
        reach: { folders: [folder, copiesIn(this.#place)] },
      },
    }).then((instance) => instance.connect());
    return this.#connection;
  }
}

const sqliteStatistics = (database: DatabaseFile) =>
  withSqlite(database, (sqlite) =>
    sqliteTables(sqlite)
      .filter(({ kind }) => kind === "Table")
      .map(({ name }) => {
        const counted = sqlite.prepare(`select count(*) as n from ${quote(name)}`).get();
        return [database.name, name, Number(counted?.n), digest(versionOf([database]))] as const;
      }),
  ).catch(() => []);

/** Names are compared without regard to case, and none may be that of a schema of ours. */
function distinct(databases: readonly DatabaseFile[]): DatabaseFile[] {
  const used = new Set(["main", "plumbline", "information_schema", "pg_catalog", "memory", "system", "temp"]);
  return databases.map((database) => {
    let { name } = database;
    for (let number = 2; used.has(foldName(name)); number++) name = `${database.name} (${number})`;
    used.add(foldName(name));
    return { ...database, name };
  });
}

/** A name for the attached database that is not that of a schema. */
export const aliasOf = ({ name }: DatabaseFile) => `database file ${name}`;

/** The schema that stands for one of a database file: its own name stands for the main one. */
export const schemaNameOf = ({ name }: DatabaseFile, schema: string) =>
  schema === "main" ? name : `${name}.${schema}`;

/** Lets go of database files at once: results that are still in memory would keep them open. */
export async function detach(
  connection: DuckDBConnection,
  databases: readonly DatabaseFile[],
): Promise<void> {
  for (const database of databases) await connection.run(`detach ${quote(aliasOf(database))}`);
}

/** Tables and views of an attached database that statements may read. */
export async function tablesIn(
  connection: DuckDBConnection,
  database: DatabaseFile,
): Promise<DatabaseTable[]> {
  const where = `where database_name = ${literal(aliasOf(database))} and not internal`;
  const sql = `select schema_name, table_name from duckdb_tables() ${where} union all select schema_name, view_name from duckdb_views() ${where}`;
  return (await connection.runAndReadAll(sql)).getRows().map(([schema, name]) => ({
    schemaName: schemaNameOf(database, String(schema)),
    tableName: String(name),
    source: [aliasOf(database), String(schema), String(name)].map(quote).join("."),
  }));
}

const commentOn = ({ files, keys }: FilesTable) => {
  const [first] = files;
  const what = files.length === 1 ? (first?.shown ?? "") : `${files.length.toLocaleString("en")} files`;
  return keys.length > 0 ? `${what}, partitioned by ${keys.join(", ")}` : what;
};

const digest = (version: string) => createHash("sha256").update(version).digest("hex").slice(0, 32);

function byName(one: Cell[], other: Cell[]): number {
  const [a, b] = [one, other].map(([schema, table]) => `${schema}\u0000${table}`);
  return a === b ? 0 : (a ?? "") < (b ?? "") ? -1 : 1;
}

const columnsQuery = `
with kinds as (
  select database_name, schema_name, table_name, 'Table' as kind, estimated_size as row_count, comment from duckdb_tables() where not internal
  union all
  select database_name, schema_name, view_name, 'View', null, comment from duckdb_views() where not internal
),
keys as (
  select database_name, schema_name, table_name, unnest(constraint_column_names) as column_name
  from duckdb_constraints() where constraint_type = 'PRIMARY KEY'
),
links as (
  select database_name, schema_name, table_name, constraint_column_names[1] as column_name,
    referenced_table, referenced_column_names[1] as referenced_column
  from duckdb_constraints() where constraint_type = 'FOREIGN KEY' and len(constraint_column_names) = 1
)
select c.schema_name, c.table_name, kinds.kind, kinds.row_count, kinds.comment, c.column_name,
  case when regexp_full_match(c.data_type, '[A-Z0-9_ (),]+') then lower(c.data_type) else c.data_type end,
  c.is_nullable, c.comment, keys.column_name is not null,
  case when links.referenced_table is not null then c.schema_name end, links.referenced_table, links.referenced_column
from duckdb_columns() as c
join kinds using (database_name, schema_name, table_name)
left join keys using (database_name, schema_name, table_name, column_name)
left join links using (database_name, schema_name, table_name, column_name)
where c.database_name not in ('memory', 'system', 'temp')
order by c.schema_name, c.table_name, c.column_index`;
