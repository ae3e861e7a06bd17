import { mkdirSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import type { DuckDBConnection } from "@duckdb/node-api";
import { textTypes } from "../../data-sources/engines/duckdb/text-types.ts";
import { SourceError } from "../../data-sources/engines/engine.ts";
import { firstLine } from "../../data-sources/engines/failures.ts";
import { copiedAsUtf8, encodingOf } from "../../data-sources/engines/files/text-encoding.ts";
import { readLimits } from "../../profile/service/read-table.ts";
import { figure } from "../../text.ts";
import { fileDialect } from "./file-dialect.ts";

const { quote, literal } = fileDialect;

/** What a file's name ends with, and how it is read. */
const formats = [
  [/\.(csv|tsv|tab|psv|txt)(\.gz|\.zst)?$/i, "text"],
  [/\.(parquet|pq)$/i, "parquet"],
  [/\.(json|jsonl|ndjson)(\.gz|\.zst)?$/i, "json"],
] as const;

export type FileTable = {
  /** The file's name without its ending. */
  name: string;
  /** The number of a row in the file, from 1: a column that is no part of the data. */
  rowColumn: string;
  /** Of a very wide file, as of a very wide table, the first columns are read. */
  columnsLeftOut: number;
  /** What could not be read of it, in words. */
  notes: string[];
};

/**
 * Makes a table of a file. What DuckDB cannot read as it is, or not in memory, is copied into the folder `copies` for that. Throws SourceError
 * with what is wrong with it.
 */
export async function readFile(
  connection: DuckDBConnection,
  file: string,
  { copies, largeFrom = large }: { copies: string; largeFrom?: Large },
): Promise<FileTable> {
  const format = formats.find(([pattern]) => pattern.test(file))?.[1];
  if (!format)
    throw unreadable(
      "It must be CSV, TSV, Parquet, or JSON, and its name must end with .csv, .tsv, .parquet, or .jsonl",
    );
  const name = basename(file).replace(/(\.[a-z]+)(\.gz|\.zst)?$/i, "") || "file";
  let size: number;
  try {
    const found = statSync(file);
    if (!found.isFile()) throw unreadable("It is not a file");
    size = found.size;
  } catch (error) {
    if (error instanceof SourceError) throw error;
    throw unreadable((error as NodeJS.ErrnoException).code ?? "It cannot be read");
  }
  if (size === 0) throw unreadable("It is empty");
  const raw = `${name} as read`;
  try {
    let isViewed = format === "parquet" && (await viewParquet(connection, file, raw));
    let notes: string[] = [];
    if (format === "text")
      ({ notes, isViewed } = await readText(connection, file, raw, {
        copies,
        isLarge: isLarge(file, size, largeFrom),
      }));
    else if (!isViewed) await readTyped(connection, file, raw, format);
    const names = (await columnsOf(connection, raw)).filter((each) => !isViewed || each !== parquetRow);
    const rowColumn = ["row", "row number", "row in file", "row of the file"].find(
      (each) => !names.some((own) => own.toLowerCase() === each),
    );
    if (rowColumn === undefined)
      throw unreadable("It has a column for each name that its row numbers could have");
    const read = names.slice(0, readLimits.columns);
    const columns = format === "text" ? await typedColumns(connection, raw, read) : read.map(quote);
    const row = `${isViewed ? parquetRow : "rowid"} + 1 as ${quote(rowColumn)}`;
    await connection.run(
      `create ${isViewed ? "view" : "table"} ${quote(name)} as select ${[row, ...columns].join(", ")} from ${quote(raw)}`,
    );
    if (!isViewed) await connection.run(`drop table ${quote(raw)}`);
    return { name, rowColumn, notes, columnsLeftOut: names.length - read.length };
  } catch (error) {
    if (error instanceof SourceError) throw error;
    throw unreadable(wordsOf(error));
  }
}

/** As what texts are read: a column with a single value that does not fit stays text, so that this value is seen. */
async function typedColumns(connection: DuckDBConnection, table: string, names: readonly string[]) {
  const { types } = await textTypes(connection, quote(table), names);
  return names.map((name, index) => {
    const type = types[index];
    return type == null ? quote(name) : `cast(${quote(name)} as ${type}) as ${quote(name)}`;
  });
}

const unreadable = (message: string) => new SourceError("unreachable", message);

/** DuckDB names the path, and gives pages of advice. */
function wordsOf(error: unknown): string {
  const line = firstLine(error instanceof Error ? error.message : error);
  return line.replace(/^([A-Z][A-Za-z ]*) Error: /, "");
}

async function columnsOf(connection: DuckDBConnection, table: string): Promise<string[]> {
  const { columnNames } = await firstRows(connection, `select * from ${quote(table)} limit 0`);
  return columnNames;
}

async function firstRows(connection: DuckDBConnection, sql: string) {
  const reader = await connection.runAndReadAll(sql);
  return { columnNames: reader.deduplicatedColumnNames(), rows: reader.getRows() };
}

/** What DuckDB calls the number of a row in a Parquet file, from 0. */
const parquetRow = "file_row_number";

/**
 * Parquet is read where it is, as its columns are found and cut to rows without reading the rest: a copy of a large file
 * would fill the memory, or the disk. false for a file that has a column of this name itself.
 */
async function viewParquet(connection: DuckDBConnection, file: string, view: string): Promise<boolean> {
  const { columnNames } = await firstRows(connection, `select * from read_parquet(${literal(file)}) limit 0`);
  if (columnNames.some((name) => name.toLowerCase() === parquetRow)) return false;
  await connection.run(
    `create view ${quote(view)} as select * from read_parquet(${literal(file)}, ${parquetRow} = true)`,
  );
  return true;
}

/** Parquet and JSON know their types. A document inside is only looked at for whether it is there. */
async function readTyped(
  connection: DuckDBConnection,
  file: string,
  table: string,
  format: "parquet" | "json",
) {
  const call =
    format === "parquet" ? `read_parquet(${literal(file)})` : `read_json(${literal(file)}, sample_size = -1)`;
  await connection.run(`create table ${quote(table)} as select * from ${call}`);
}

/** Larger texts do not fit into memory as a table: they are copied once into a file that is found and cut without reading all of it. */
export type Large = { bytes: number; compressed: number };
const large: Large = { bytes: 64 * 1024 * 1024, compressed: 8 * 1024 * 1024 };
const isLarge = (file: string, size: number, { bytes, compressed }: Large): boolean =>
  size > (/\.(gz|zst)$/i.test(file) ? compressed : bytes);

/** The values of so many rows are in memory until they are written, of all columns. */
const rowsAtOnce = (columns: number) => Math.round(Math.min(100_000, Math.max(2048, 2_000_000 / columns)));

/**
 * Every value of a CSV file is read as text, so that one bad value fails neither the file nor its column. Lines that
 * have too many or too few values are left out and told. `isViewed`: the rows are in a Parquet file, with their numbers.
 */
async function readText(
  connection: DuckDBConnection,
  file: string,
  table: string,
  { copies, isLarge }: { copies: string; isLarge: boolean },
): Promise<{ notes: string[]; isViewed: boolean }> {
  const written = encodingOf(file);
  const isCopied = written === "windows-1252";
  const path = literal(isCopied ? copiedAsUtf8(file, copies) : file);
  const isTabs = /\.(tsv|tab)(\.|$)/i.test(file);
  const shared = ["ignore_errors = true", `encoding = '${isCopied ? "utf-8" : written}'`];
  const sniffed = await firstRows(
    connection,
    `select Delimiter, Quote, HasHeader from sniff_csv(${[path, "all_varchar = true", ...shared].join(", ")})`,
  );
  const [delimiter, quotes, hasHeader] = sniffed.rows[0] ?? [];
  const options = [
    ...shared,
    "all_varchar = true",
    `delim = ${isTabs ? String.raw`'\t'` : literal(String(delimiter))}`,
    ...(quotes === "'" ? [`quote = ''''`] : [`quote = '"'`, `escape = '"'`]),
  ];
  const header = hasHeader === true || (await looksLikeHeader(connection, path ?? "", options));
  const read = (more: readonly string[]) =>
    `select * from read_csv(${path}, ${[...options, `header = ${header}`, ...more].join(", ")})`;
  const stored = read(["store_rejects = true"]);
  const { columnNames } = await firstRows(connection, `${read([])} limit 0`);
  const isViewed = isLarge && columnNames.every((name) => name.toLowerCase() !== parquetRow);
  if (isViewed) {
    const copy = join(copies, "rows.parquet");
    mkdirSync(copies, { recursive: true });
    await connection.run(
      `copy (${stored}) to ${literal(copy)} (format parquet, row_group_size ${rowsAtOnce(columnNames.length)})`,
    );
    await viewParquet(connection, copy, table);
  } else await connection.run(`create table ${quote(table)} as ${stored}`);
  const { rows } = await firstRows(
    connection,
    "select line, min(error_message), count(*) over () from reject_errors group by line order by line limit 1",
  );
  const [line, message, count] = rows[0] ?? [];
  if (line === undefined) return { notes: [], isViewed };
  const lines = Number(count) === 1 ? "1 line was" : `${figure(Number(count))} lines were`;
  const note = `${lines} not read, ${Number(count) === 1 ? "" : "the first is "}line ${line}: ${firstLine(String(message))}`;
  return { notes: [note], isViewed };
}

/** Where all columns are texts, the first line names them unless a value of it is a number or a date. */
async function looksLikeHeader(connection: DuckDBConnection, path: string, options: readonly string[]) {
  const { rows } = await firstRows(
    connection,
    `select * from read_csv(${path}, ${[...options, "header = false"].join(", ")}) limit 1`,
  );
  return (rows[0] ?? []).every((cell) => !/^[+-]?\d[\d.,:/ -]*$/.test(String(cell ?? "")));
}
