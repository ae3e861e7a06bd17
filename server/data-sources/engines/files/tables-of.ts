import { basename } from "node:path";
import { gunzipSync, constants as zlib, zstdDecompressSync } from "node:zlib";
import type { DuckDBConnection } from "@duckdb/node-api";
import { duckdb } from "../../dialects/duckdb.ts";
import { type Candidate, type DataFile, type Found, startOf } from "./find-files.ts";
import { stemOf } from "./formats.ts";

export type FilesTable = {
  name: string;
  files: DataFile[];
  /** The keys of its partitions, which are columns. */
  keys: string[];
  /** Another one as soon as one of its files is. */
  version: string;
};

const firstBytes = 64 * 1024;

/** What is remembered of a file's columns, by its version. */
const known = new Map<string, string>();
const maxKnown = 200_000;

/**
 * Files of one place are one table if they have the same columns, and else each is one by itself. A file that cannot be
 * read is part of the table that is there without it: a table does not vanish because one of its files is being written.
 */
export async function tablesOf(connection: DuckDBConnection, { candidates }: Found): Promise<FilesTable[]> {
  const tables: { name: string; file: string; files: DataFile[] }[] = [];
  const many = candidates.filter(({ files, isPattern }) => files.length > 1 && !isPattern);
  await learnParquet(connection, many);
  for (const { name, place, files, isPattern } of candidates) {
    const [first] = files;
    if (!first) continue;
    const isAlone = files.length === 1 && name === basename(first.shown);
    if (!isAlone && (isPattern || haveSameColumns(files))) tables.push({ name, file: name, files });
    else
      for (const file of files) {
        const own = place === "" ? file.shown : file.shown.slice(place.length + 1);
        const folder = place === "" ? "" : `${place}/`;
        tables.push({ name: `${folder}${stemOf(own)}`, file: `${folder}${own}`, files: [file] });
      }
  }
  return named(tables).map(({ name, files }) => ({
    ...{ name, files },
    keys: (files[0]?.keys ?? "").split("/").filter(Boolean),
    version: versionOf(files),
  }));
}

export const versionOf = (files: readonly Pick<DataFile, "shown" | "size" | "changedAt">[]) =>
  files.map(({ shown, size, changedAt }) => `${shown}:${size}:${changedAt}`).join("|");

/** Names are compared without regard to case: of two that are the same, both get their files' endings, or a number. */
function named<T extends { name: string; file: string }>(tables: readonly T[]): T[] {
  const counts = new Map<string, number>();
  const fold = duckdb.foldName;
  for (const { name } of tables) counts.set(fold(name), (counts.get(fold(name)) ?? 0) + 1);
  const used = new Set<string>();
  return tables.map((table) => {
    const wanted = counts.get(fold(table.name)) === 1 ? table.name : table.file;
    let name = wanted;
    for (let number = 2; used.has(fold(name)); number++) name = `${wanted} (${number})`;
    used.add(fold(name));
    return { ...table, name };
  });
}

function haveSameColumns(files: readonly DataFile[]): boolean {
  const [first] = files;
  if (!first || files.some(({ format, keys }) => format !== first.format || keys !== first.keys))
    return false;
  const readable = files.map(columnsOf).filter((columns) => columns !== "");
  return new Set(readable).size <= 1;
}

const keyOf = ({ path, size, changedAt }: DataFile) => `${path}:${size}:${changedAt}`;

/** A text that is the same for files with the same columns; empty if the file does not tell. */
function columnsOf(file: DataFile): string {
  const key = keyOf(file);
  const found = known.get(key);
  if (found !== undefined) return found;
  const columns = file.format === "csv" ? headerOf(file) : "";
  remember(key, columns);
  return columns;
}

function remember(key: string, columns: string): void {
  if (known.size >= maxKnown) known.clear();
  known.set(key, columns);
}

export const firstLineOf = (path: string) => (textOf(path).split(/\r?\n/, 1)[0] ?? "").replace(/^\ufeff/, "");

/** The first line, or how many values it has if it is one of data. */
function headerOf({ path }: DataFile): string {
  const line = firstLineOf(path);
  const cells = line.split(/[,;\t|]/);
  const isData = cells.some((cell) => /^"?[+-]?\d[\d.,:/ -]*"?$/.test(cell.trim()));
  return isData ? `${cells.length} values` : line;
}

function textOf(path: string): string {
  const start = startOf(path, firstBytes);
  try {
    if (/\.gz$/i.test(path)) return gunzipSync(start, { finishFlush: zlib.Z_SYNC_FLUSH }).toString();
    if (/\.zst$/i.test(path)) return zstdDecompressSync(start, { finishFlush: zlib.ZSTD_e_flush }).toString();
  } catch {
    return "";
  }
  return start.toString();
}

/** Many Parquet files are asked at once; one that is broken fails the whole question, so then each is asked alone. */
async function learnParquet(connection: DuckDBConnection, candidates: readonly Candidate[]): Promise<void> {
  const asked = candidates
    .flatMap(({ files }) => files)
    .filter((file) => file.format === "parquet" && !known.has(keyOf(file)));
  for (let from = 0; from < asked.length; from += 500) {
    const some = asked.slice(from, from + 500);
    if (await askParquet(connection, some)) continue;
    for (const file of some) if (!(await askParquet(connection, [file]))) remember(keyOf(file), "");
  }
}

async function askParquet(connection: DuckDBConnection, files: readonly DataFile[]): Promise<boolean> {
  const paths = files.map(({ path }) => duckdb.literal(path)).join(", ");
  const sql = `select file_name, string_agg(name || ' ' || coalesce(type, ''), ',') from parquet_schema([${paths}]) group by file_name`;
  try {
    const rows = (await connection.runAndReadAll(sql)).getRows();
    const columns = new Map(rows.map(([path, each]) => [String(path), String(each)]));
    for (const file of files) remember(keyOf(file), columns.get(file.path) ?? "");
    return true;
  } catch {
    return false;
  }
}
