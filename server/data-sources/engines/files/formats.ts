/** What a file's name ends with, and how it is read. */
export type Format = "csv" | "parquet" | "json";

const formats: readonly [RegExp, Format][] = [
  [/\.(csv|tsv|tab|psv)(\.gz|\.zst)?$/i, "csv"],
  [/\.(parquet|pq)$/i, "parquet"],
  [/\.(json|jsonl|ndjson)(\.gz|\.zst)?$/i, "json"],
];

export const formatOf = (name: string): Format | null =>
  formats.find(([pattern]) => pattern.test(name))?.[1] ?? null;

/** A file's name without its ending. */
export const stemOf = (name: string) => name.replace(/(\.[a-z]+)(\.gz|\.zst)?$/i, "") || name;

/** Names that a database file may have. Its first bytes decide what it is. */
export const mayBeDatabase = (name: string) => /\.(duckdb|ddb|db|db3|sqlite|sqlite3)$/i.test(name);

/** Whether files of that name are looked at. */
export const isReadable = (name: string) => formatOf(name) !== null || mayBeDatabase(name);

/** The kind of a database file by its first bytes; null for any other file. */
export function databaseKindOf(start: Buffer): "duckdb" | "sqlite" | null {
  if (isDuckDb(start)) return "duckdb";
  return start.toString("latin1").startsWith("SQLite format 3\0") ? "sqlite" : null;
}

const isDuckDb = (start: Buffer) => start.subarray(8, 12).toString("latin1") === "DUCK";
