import { rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type DuckDBConnection, DuckDBInstance } from "@duckdb/node-api";
import type { DatabaseSchema } from "../../data-sources/database-schema.ts";
import { cellOf, typeNameOf } from "../../data-sources/engines/duckdb/values.ts";
import {
  type Cell,
  type Limits,
  type ResultSet,
  type Session,
  SourceError,
} from "../../data-sources/engines/engine.ts";
import { firstLine } from "../../data-sources/engines/failures.ts";
import { sizeOf } from "../../data-sources/engines/row-size.ts";
import type { Scanned } from "../service/scan-tables.ts";
import { fileDialect } from "./file-dialect.ts";
import { type FileTable, type Large, readFile } from "./read-file.ts";

/** What DuckDB may use; the process needs about as much again. By itself, it would take four fifths of the machine's. */
const memoryLimit = "512MiB";
/** Where DuckDB keeps what does not fit into memory. */
const spillFolder = join(tmpdir(), `plumbline-scan-${process.pid}`);

export type FileSource = Scanned & { table: FileTable; close(): void };

/** A file as a database of one table, in this process. Throws SourceError for one that cannot be read. */
export async function openFile(file: string, largeFrom?: Large): Promise<FileSource> {
  const instance = await DuckDBInstance.create(":memory:", {
    memory_limit: memoryLimit,
    temp_directory: spillFolder,
    autoinstall_known_extensions: "false",
    autoload_known_extensions: "false",
  });
  const close = () => {
    instance.closeSync();
    rmSync(spillFolder, { recursive: true, force: true });
  };
  try {
    const connection = await instance.connect();
    await connection.run("set TimeZone = 'UTC'");
    const table = await readFile(connection, file, { copies: spillFolder, ...(largeFrom && { largeFrom }) });
    const session: Session = { read: (statement, limits) => read(connection, statement.sql, limits) };
    return {
      table,
      isCopy: true,
      introspect: () => schemaOf(connection, table),
      withSession: (work) => work(session, fileDialect),
      close,
    };
  } catch (error) {
    close();
    throw error;
  }
}

async function schemaOf(
  connection: DuckDBConnection,
  { name, rowColumn }: FileTable,
): Promise<DatabaseSchema> {
  const reader = await connection.runAndReadAll(`select * from ${fileDialect.quote(name)} limit 0`);
  const names = reader.columnNames();
  const types = reader.columnTypes();
  const counted = await connection.runAndReadAll(`select count(*) from ${fileDialect.quote(name)}`);
  const columns = names.flatMap((each, index) =>
    each === rowColumn
      ? []
      : {
          ...{ name: each, type: typeNameOf(types[index]), nullable: true },
          ...{ comment: null, isPrimaryKey: false },
        },
  );
  const rowEstimate = Number(counted.getRows()[0]?.[0] ?? 0);
  return {
    items: [
      {
        schemaName: "main",
        tables: [{ tableName: name, kind: "Table", rowEstimate, comment: null, columns }],
      },
    ],
  };
}

/** Runs SQL of our own within the limits. Throws SourceError. */
async function read(connection: DuckDBConnection, sql: string, limits: Limits): Promise<ResultSet> {
  let isLate = false;
  const late = setTimeout(() => {
    isLate = true;
    connection.interrupt();
  }, limits.timeoutMs);
  try {
    const result = await connection.stream(sql);
    const types = result.columnTypes();
    const columns = result.columnNames().map((name, index) => ({ name, type: typeNameOf(types[index]) }));
    const rows: Cell[][] = [];
    let bytes = 0;
    for (
      let chunk = await result.fetchChunk();
      chunk && chunk.rowCount > 0;
      chunk = await result.fetchChunk()
    )
      for (let index = 0; index < chunk.rowCount; index++) {
        const row = chunk.getRowValues(index).map((value, column) => cellOf(value, types[column]));
        bytes += sizeOf(row);
        if (rows.length >= limits.maxRows || bytes > limits.maxBytes)
          return { columns, rows, truncated: true, rowCount: rows.length };
        rows.push(row);
      }
    return { columns, rows, truncated: false, rowCount: rows.length };
  } catch (error) {
    if (isLate) throw new SourceError("timeout", "Reading the file took too long");
    throw new SourceError("statement", firstLine(error instanceof Error ? error.message : error));
  } finally {
    clearTimeout(late);
  }
}
