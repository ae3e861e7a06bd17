import { rmSync } from "node:fs";
import type { DuckDBConnection, DuckDBInstance } from "@duckdb/node-api";
import { keepCompiled } from "../../../keep-compiled.ts";
import { duckdb } from "../../dialects/duckdb.ts";
import { die, watchMemory } from "../duckdb/memory-watch.ts";
import { prepareRead, readPrepared } from "../duckdb/read-statement.ts";
import type { Statement } from "../engine.ts";
import { aliasOf, Catalog, detach, tablesIn } from "./catalog.ts";
import { failureOf, isContradiction, isMissingTable, tooMuchMemory } from "./failures.ts";
import type { DatabaseFile } from "./find-files.ts";
import { namesIn } from "./gate.ts";
import type { Answers, Asked, FromProcess, Place, ToProcess } from "./messages.ts";
import { planIn } from "./plan.ts";
import { copySqlite, sqliteTables, withSqlite } from "./sqlite.ts";
import type { FilesTable } from "./tables-of.ts";
import { openWalled } from "./walled-database.ts";

/**
 * A process that reads one folder. It answers one question at a time, can be told to stop with it, and ends when it uses
 * too much memory or its parent is gone.
 *
 * Each statement is run by a database in memory that was made for it: with a view for each table that it names, and able
 * to read the files of these tables and nothing else, with its settings locked.
 */

const { literal, quote } = duckdb;

const say = (message: FromProcess, then?: () => void) => process.send?.(message, undefined, undefined, then);

let reader: Reader | null = null;
let last: Promise<void> = Promise.resolve();

// The parent removes the folder if it ends this process; without it, nobody else would.
process.on("disconnect", () => {
  reader?.clear();
  die();
});
process.on("message", (message: ToProcess) => {
  if (message.say === "open") {
    watchMemory(message.place.memoryMb * 1024 * 1024, (said) =>
      say({ ...tooMuchMemory, isLast: true }, said),
    );
    reader = new Reader(message.place);
    return;
  }
  if (message.say === "cancel") {
    reader?.cancel();
    return;
  }
  const current = reader;
  if (!current) throw new Error("Nothing was opened");
  last = last.then(async () => {
    try {
      say({ say: "answer", answer: await current.answer(message) });
    } catch (error) {
      say(failureOf(error, current.folder));
    }
  });
});

type Prepared = { instance: DuckDBInstance; key: string };
type Wanted = { tables: FilesTable[]; databases: DatabaseFile[]; names: ReadonlySet<string> };

class Reader {
  readonly #place: Place;
  readonly #catalog: Catalog;
  #prepared: Prepared | null = null;
  #running: DuckDBConnection | null = null;
  #isCancelled = false;

  constructor(place: Place) {
    this.#place = place;
    this.#catalog = new Catalog(place);
  }

  get folder(): string {
    return this.#place.folder;
  }

  /** Removes what was written to disk. */
  clear(): void {
    rmSync(this.#place.spillFolder, { recursive: true, force: true });
  }

  cancel(): void {
    this.#isCancelled = true;
    this.#running?.interrupt();
    this.#catalog.interrupt();
  }

  async answer(asked: Asked): Promise<Answers[keyof Answers]> {
    this.#isCancelled = false;
    this.#catalog.begin();
    if (asked.say === "introspect") {
      this.#catalog.forget();
      return this.#catalog.introspect();
    }
    if (asked.say === "test") {
      this.#catalog.forget();
      return this.#test();
    }
    const wanted = await this.#wanted(asked.statement);
    try {
      return await this.#onStatement(asked, wanted, false);
    } catch (error) {
      if (!isContradiction(error) || this.#isCancelled || (await this.#areAllWhole(wanted))) throw error;
      // What the first rows looked like is not what all are: the rest decides.
      say({ say: "again" });
      return await this.#onStatement(asked, wanted, true);
    } finally {
      // Another program can only write to a database file while it is not open.
      const attached = wanted.databases.filter(({ kind }) => kind === "duckdb");
      if (attached.length > 0) await this.#letGo(attached);
    }
  }

  async #test(): Promise<Answers["test"]> {
    const { tables, databases } = await this.#catalog.list();
    const count = tables.length;
    const files = databases.length;
    const version = await this.#catalog.version();
    const found = [
      count === 1 ? "1 table" : `${count.toLocaleString("en")} tables`,
      ...(files > 0
        ? [files === 1 ? "1 database file" : `${files.toLocaleString("en")} database files`]
        : []),
    ];
    return { serverVersion: `DuckDB ${version}`, message: `Found ${found.join(" and ")}` };
  }

  async #wanted({ sql, parameters }: Statement): Promise<Wanted> {
    const { tables, databases } = await this.#catalog.list();
    const names = namesIn(sql, parameters);
    const isNamed = (name: string) => names.has(duckdb.foldName(name));
    return {
      names,
      tables: tables.filter(({ name }) => isNamed(name)),
      databases: databases.filter(
        ({ name }) =>
          isNamed(name) || [...names].some((each) => each.startsWith(`${duckdb.foldName(name)}.`)),
      ),
    };
  }

  async #areAllWhole({ tables }: Wanted): Promise<boolean> {
    const shapes = await Promise.all(tables.map((table) => this.#catalog.shape(table).catch(() => null)));
    return shapes.every((shape) => shape?.isWhole !== false);
  }

  async #onStatement(
    asked: Exclude<Asked, { say: "test" | "introspect" }>,
    wanted: Wanted,
    isThorough: boolean,
  ): Promise<Answers["read" | "check" | "explain"]> {
    const { instance, failure } = await this.#open(wanted, isThorough);
    const connection = await instance.connect();
    this.#running = connection;
    if (this.#isCancelled) throw new Error("Interrupted");
    try {
      return await answerOn(connection, asked);
    } catch (error) {
      // A table that is there, but could not be read.
      throw failure !== null && isMissingTable(error) ? failure : error;
    } finally {
      this.#running = null;
      connection.closeSync();
    }
  }

  /** A database with the views that a statement may need; that of the last one if nothing is different. */
  async #open(
    { tables, databases, names }: Wanted,
    isThorough: boolean,
  ): Promise<{ instance: DuckDBInstance; failure: unknown }> {
    const views: { name: string; sql: string; reads: readonly string[] }[] = [];
    let failure: unknown = null;
    for (const table of tables)
      try {
        const { sql, reads } = await this.#catalog.shape(table, isThorough);
        views.push({ name: table.name, sql, reads });
      } catch (error) {
        failure ??= error;
      }
    const wantsStatistics = names.has("plumbline") && names.has("tables");
    const key = JSON.stringify([
      views.map(({ sql }) => sql),
      tables.map(({ version }) => version),
      // What was copied of an SQLite file depends on the names, too.
      databases.map(({ path, size, changedAt }) => [path, size, changedAt, [...names].sort()]),
    ]);
    const attached = databases.filter(({ kind }) => kind === "duckdb");
    const mayReuse = attached.length === 0 && !wantsStatistics && failure === null;
    if (mayReuse && this.#prepared?.key === key) return { instance: this.#prepared.instance, failure };
    this.#close();
    const { memoryMb, spillFolder } = this.#place;
    const instance = await openWalled({
      ...{ memoryMb: Math.floor(memoryMb / 2), spillFolder },
      reach: { files: views.flatMap(({ reads }) => reads) },
      attached: new Map(attached.map((database) => [aliasOf(database), database.path])),
    });
    // Until everything is there, it is nothing to use again.
    this.#prepared = { instance, key: "" };
    const connection = await instance.connect();
    for (const { name, sql } of views)
      try {
        await connection.run(`create view main.${quote(name)} as ${sql}`);
      } catch (error) {
        failure ??= error;
      }
    for (const database of attached) await this.#viewDatabase(connection, database, names);
    for (const database of databases)
      if (database.kind === "sqlite") await copyDatabase(connection, database, names);
    if (wantsStatistics) await this.#writeStatistics(connection);
    await connection.run("set lock_configuration = true");
    connection.closeSync();
    if (mayReuse) this.#prepared = { instance, key };
    return { instance, failure };
  }

  async #viewDatabase(connection: DuckDBConnection, database: DatabaseFile, names: ReadonlySet<string>) {
    for (const { schemaName, tableName, source } of await tablesIn(connection, database)) {
      if (!names.has(duckdb.foldName(tableName))) continue;
      await connection.run(`create schema if not exists ${quote(schemaName)}`);
      await connection.run(`create view ${quote(schemaName)}.${quote(tableName)} as select * from ${source}`);
    }
  }

  async #writeStatistics(connection: DuckDBConnection) {
    await connection.run("create schema plumbline");
    await connection.run(
      "create table plumbline.tables (schema_name varchar, table_name varchar, row_count double, version varchar)",
    );
    const values = (await this.#catalog.statistics()).map(
      ([schema, table, rows, version]) =>
        `(${literal(schema)}, ${literal(table)}, ${rows ?? "null"}, ${literal(version)})`,
    );
    if (values.length > 0) await connection.run(`insert into plumbline.tables values ${values.join(", ")}`);
  }

  async #letGo(databases: readonly DatabaseFile[]) {
    const connection = await this.#prepared?.instance.connect();
    if (connection) await detach(connection, databases).finally(() => connection.closeSync());
    this.#close();
  }

  #close() {
    this.#prepared?.instance.closeSync();
    this.#prepared = null;
  }
}

/** The tables of an SQLite file that a statement names. */
const copyDatabase = (connection: DuckDBConnection, database: DatabaseFile, names: ReadonlySet<string>) =>
  withSqlite(database, async (sqlite) => {
    for (const table of sqliteTables(sqlite))
      if (names.has(duckdb.foldName(table.name))) await copySqlite(sqlite, connection, database.name, table);
  });

async function answerOn(
  connection: DuckDBConnection,
  asked: Exclude<Asked, { say: "test" | "introspect" }>,
): Promise<Answers["read" | "check" | "explain"]> {
  const { statement } = asked;
  if (asked.say === "read") {
    const prepared = await prepareRead(connection, statement);
    return readPrepared(prepared, asked.limits, {
      isStrict: true,
      pass: (rows) => void say({ say: "rows", rows }),
    });
  }
  // First by itself, so that only what reads is explained.
  await prepareRead(connection, statement);
  const explained = { ...statement, sql: `explain (format json) ${statement.sql}` };
  const prepared = await prepareRead(connection, explained);
  const [row = []] = (await prepared.runAndReadAll()).getRows();
  const plan = planIn(String(row[1]));
  if (asked.say === "explain") return plan;
  return {
    scans: true,
    ...(asked.limits.estimates && plan.rows !== null && { estimatedRows: plan.rows }),
  };
}

keepCompiled();
