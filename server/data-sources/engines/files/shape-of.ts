import type { DuckDBConnection } from "@duckdb/node-api";
import { duckdb } from "../../dialects/duckdb.ts";
import { textTypes } from "../duckdb/text-types.ts";
import { typeNameOf } from "../duckdb/values.ts";
import type { DataFile } from "./find-files.ts";
import { type FilesTable, firstLineOf } from "./tables-of.ts";
import { copiedAsUtf8, type Encoding, encodingOf } from "./text-encoding.ts";

const { quote, literal } = duckdb;

/** How a table's files are read, once that is known. */
export type Shape = {
  /** A SELECT of all rows. */
  sql: string;
  /** The paths of the files that it reads: the table's, or copies of them. */
  reads: readonly string[];
  /** The number of rows, if it was counted or is written in the files. */
  rows: number | null;
  /** Whether every row was looked at, so that nothing in the files can contradict the types. */
  isWhole: boolean;
  /** If they are known without asking. */
  columns?: { name: string; type: string }[] | null;
};

type ReadShape = Omit<Shape, "reads">;

/** Files up to this size together are read to the end for their types; of larger ones, so many rows. */
const maxWholeBytes = 32 * 1024 * 1024;
const someRows = 200_000;
/** A compressed file is so much larger when it is read. */
const compression = 5;

/** Files that have something in them: another program may just have begun with one. */
const written = (files: readonly DataFile[]) => files.filter(({ size }) => size > 0);

const listOf = (files: readonly DataFile[]) => `[${files.map(({ path }) => literal(path)).join(", ")}]`;

/**
 * Finds out how to read a table. With `isThorough`, all of it is looked at, whatever its size. What DuckDB cannot read is
 * copied into `copies`, a folder that the connection may read.
 */
export async function shapeOf(
  connection: DuckDBConnection,
  table: FilesTable,
  { isThorough, copies }: { isThorough: boolean; copies: string },
): Promise<Shape> {
  const files = written(table.files);
  const [first] = files;
  if (!first) return { sql: emptyRelation(table), reads: [], rows: 0, isWhole: true };
  if (files.some(({ format }) => format !== first.format))
    throw new Error("Its files have several formats: a pattern must match files of one");
  const weight = files.reduce(
    (sum, { path, size }) => sum + size * (/\.(gz|zst)$/i.test(path) ? compression : 1),
    0,
  );
  const isWhole = isThorough || weight <= maxWholeBytes;
  const partitions = partitionsOf(table);
  const read = { parquet: readParquet, json: readJson, csv: readCsv }[first.format];
  const { readable, encoding } =
    first.format === "csv"
      ? inOneEncoding(files, table, copies)
      : { readable: files, encoding: "utf-8" as const };
  const shape = await read(connection, readable, partitions, isWhole, { ...table, encoding });
  return {
    ...shape,
    sql: withoutForeignKeys(shape.sql, table),
    reads: readable.map(({ path }) => path),
  };
}

/** Of more files, the first one tells how all are written. */
const maxEncodings = 50;

/** How DuckDB is told that a file is written. */
type Readable = Exclude<Encoding, "windows-1252">;

/**
 * The files as DuckDB reads them, in one way: with copies in UTF-8 if one of them is in Windows-1252. Files of partitions say
 * by their paths what is in them, and stay.
 */
function inOneEncoding(
  files: readonly DataFile[],
  { keys }: FilesTable,
  copies: string,
): { readable: readonly DataFile[]; encoding: Readable } {
  const known = files.slice(0, keys.length > 0 ? 1 : maxEncodings).map(({ path }) => encodingOf(path));
  const [own = "utf-8"] = known;
  const areCopied = keys.length === 0 && known.includes("windows-1252");
  if (!areCopied) return { readable: files, encoding: own === "windows-1252" ? "latin-1" : own };
  const readable = files.map((file, index) => {
    const encoding = known[index] ?? encodingOf(file.path);
    return encoding === "windows-1252" || encoding === "latin-1"
      ? { ...file, path: copiedAsUtf8(file.path, copies) }
      : file;
  });
  return { readable, encoding: own === "utf-16" ? own : "utf-8" };
}

/** A table needs a column; of files without any content, only its partitions are known. */
const emptyRelation = ({ keys }: FilesTable) =>
  `select ${[...keys, "no columns"].map((key) => `null::varchar as ${quote(key)}`).join(", ")} where false`;

const partitionsOf = ({ keys }: FilesTable) => `hive_partitioning = ${keys.length > 0}`;

/** DuckDB takes every `key=value` in a path for a partition, of the folder's own path as well. */
function withoutForeignKeys(sql: string, { files, keys }: FilesTable): string {
  const [first] = files;
  if (!first || keys.length === 0) return sql;
  const above = first.path.slice(0, first.path.length - first.shown.length).split(/[\\/]/);
  const foreign = above
    .flatMap((part) => /^([^=]+)=/.exec(part)?.[1] ?? [])
    .filter((key) => !keys.includes(key));
  return foreign.length === 0
    ? sql
    : sql.replace("select *", `select * exclude (${foreign.map(quote).join(", ")})`);
}

async function readParquet(
  connection: DuckDBConnection,
  files: readonly DataFile[],
  partitions: string,
): Promise<ReadShape> {
  const [[rows = null] = []] = (
    await connection.runAndReadAll(`select sum(num_rows) from parquet_file_metadata(${listOf(files)})`)
  ).getRows();
  return {
    sql: `select * from read_parquet(${listOf(files)}, union_by_name = ${files.length > 1}, ${partitions})`,
    rows: rows === null ? null : Number(rows),
    isWhole: true,
  };
}

async function readJson(
  connection: DuckDBConnection,
  files: readonly DataFile[],
  partitions: string,
  isWhole: boolean,
): Promise<ReadShape> {
  const options = `union_by_name = ${files.length > 1}, ${partitions}`;
  const sample = `sample_size = ${isWhole ? -1 : someRows}, maximum_sample_files = ${files.length}`;
  const described = await columnsOf(
    connection,
    `read_json(${listOf(files)}, ${sample}, hive_partitioning = false, union_by_name = ${files.length > 1})`,
  );
  const columns = described.map(({ name, type }) => `${literal(name)}: ${literal(type)}`).join(", ");
  const sql = `select * from read_json(${listOf(files)}, columns = {${columns}}, ${options})`;
  if (!isWhole) return { sql, rows: null, isWhole };
  const [[rows = null] = []] = (await connection.runAndReadAll(`select count(*) from (${sql})`)).getRows();
  return { sql, rows: rows === null ? null : Number(rows), isWhole };
}

/**
 * Values are looked at as texts, so that what DuckDB would read as another value stays as it is (`007` is a code), and
 * decimals are exact. Lines that have too many or too few values are found when they are read.
 */
async function readCsv(
  connection: DuckDBConnection,
  files: readonly DataFile[],
  partitions: string,
  isWhole: boolean,
  { keys, encoding }: FilesTable & { encoding: Readable },
): Promise<ReadShape> {
  const [first] = files;
  if (!first) throw new Error("There is no file to read");
  const isTabs = /\.(tsv|tab)(\.|$)/i.test(first.path);
  // Of lines that have nothing in common, nothing can be told; what is wrong with them is told when they are read.
  const [sniffed = []] = await rowsOf(
    connection,
    `select Delimiter, Quote, HasHeader, SkipRows, Comment from sniff_csv(${literal(first.path)}, all_varchar = true, ignore_errors = true, encoding = '${encoding}')`,
  ).catch((error) => {
    if (/^Interrupted/i.test(String(error?.message))) throw error;
    return [];
  });
  const [delimiter = ",", quotes, hasHeader, skipped = 0, comment] = sniffed;
  const comments = typeof comment === "string" && comment !== "(empty)" ? comment : null;
  const options = [
    `encoding = '${encoding}'`,
    "auto_detect = false",
    `delim = ${isTabs ? String.raw`'\t'` : literal(String(delimiter))}`,
    ...(quotes === "'" ? [`quote = ''''`, `escape = ''''`] : [`quote = '"'`, `escape = '"'`]),
    `skip = ${Number(skipped)}`,
    ...(comments ? [`comment = ${literal(comments)}`] : []),
    partitions,
  ];
  const separator = isTabs ? "\t" : String(delimiter);
  const isPlain = encoding === "utf-8" && Number(skipped) === 0 && !comments;
  const names = await namesOf(connection, first, options, {
    hasHeader: hasHeader === true,
    cells: isPlain ? cellsIn(firstLineOf(first.path), separator, quotes === "'" ? "'" : '"') : null,
  });
  const header = `header = ${names.isHeader}`;
  const read = (types: readonly string[], ...more: string[]) => {
    const columns = names.all.map((name, index) => `${literal(name)}: ${literal(types[index] ?? "varchar")}`);
    return `select * from read_csv(${listOf(files)}, ${[...options, header, `columns = {${columns.join(", ")}}`, ...more].join(", ")})`;
  };
  const texts = read([], "ignore_errors = true");
  const relation = isWhole ? `(${texts})` : `(${texts} limit ${someRows})`;
  const { types, rows } = await textTypes(connection, relation, names.all, { areSome: !isWhole });
  return {
    sql: read(types.map((type) => type ?? "varchar")),
    ...{ rows: isWhole ? rows : null, isWhole },
    // Those of partitions are DuckDB's to say.
    columns:
      keys.length > 0
        ? null
        : names.all.map((name, index) => ({ name, type: types[index]?.replace(", ", ",") ?? "varchar" })),
  };
}

/** The names in the first line, unless a value of it is a number or a date; distinct, without regard to case. */
async function namesOf(
  connection: DuckDBConnection,
  { path }: DataFile,
  options: readonly string[],
  { hasHeader, cells: known }: { hasHeader: boolean; cells: readonly string[] | null },
) {
  const cells = known ?? (await firstCells(connection, path, options));
  const isHeader = hasHeader || cells.every((cell) => !/^[+-]?\d[\d.,:/ -]*$/.test(String(cell ?? "")));
  if (!isHeader) return { isHeader, all: cells.map((_, index) => `column${index}`) };
  const used = new Set<string>();
  const all = cells.map((cell, index) => {
    const wanted = String(cell ?? "").trim() || `column${index}`;
    let name = wanted;
    for (let number = 1; used.has(duckdb.foldName(name)); number++) name = `${wanted}_${number}`;
    used.add(duckdb.foldName(name));
    return name;
  });
  return { isHeader, all };
}

/** By DuckDB, for a first line that takes more than splitting. */
async function firstCells(connection: DuckDBConnection, path: string, options: readonly string[]) {
  const some = options.filter((option) => !/^(auto_detect|hive_partitioning)/.test(option));
  const read = [
    ...some,
    "all_varchar = true",
    "header = false",
    "null_padding = true",
    "hive_partitioning = false",
  ];
  const [cells = []] = await rowsOf(
    connection,
    `select * from read_csv(${literal(path)}, ${read.join(", ")}) limit 1`,
  );
  return cells;
}

/** The cells of the first line; null if it has quotes that do not end in it, or lines are left out before it. */
function cellsIn(line: string, delimiter: string, quotation: string): string[] | null {
  if (line === "" || line.includes("\ufffd")) return null;
  const cells: string[] = [];
  for (let at = 0; at <= line.length; ) {
    if (line[at] === quotation) {
      let end = at + 1;
      let text = "";
      for (; line[end] !== quotation || line[end + 1] === quotation; end++) {
        if (end >= line.length) return null;
        text += line[end];
        if (line[end] === quotation) end++;
      }
      if (end + 1 < line.length && !line.startsWith(delimiter, end + 1)) return null;
      cells.push(text);
      at = end + 1 + delimiter.length;
      if (end + 1 >= line.length) break;
    } else {
      const end = line.indexOf(delimiter, at);
      cells.push(line.slice(at, end < 0 ? undefined : end));
      if (end < 0) break;
      at = end + delimiter.length;
    }
  }
  return cells;
}

async function rowsOf(connection: DuckDBConnection, sql: string) {
  return (await connection.runAndReadAll(sql)).getRows();
}

async function columnsOf(connection: DuckDBConnection, relation: string) {
  const reader = await connection.runAndReadAll(`select * from ${relation} limit 0`);
  const types = reader.columnTypes();
  return reader.deduplicatedColumnNames().map((name, index) => ({ name, type: String(types[index]) }));
}

/** The columns of a view, as the product names their types. */
export async function viewColumns(connection: DuckDBConnection, sql: string) {
  const reader = await connection.runAndReadAll(`${sql} limit 0`);
  const types = reader.columnTypes();
  return reader.deduplicatedColumnNames().map((name, index) => ({ name, type: typeNameOf(types[index]) }));
}
