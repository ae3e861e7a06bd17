import { once } from "node:events";
import { createGzip } from "node:zlib";

/** A result as CSV (RFC 4180) for spreadsheets, protected against formula injection. */
export type CsvTable = {
  fileName: string;
  columns: readonly string[];
  rows: Iterable<readonly unknown[]>;
};

/** Characters that start a formula, including their East Asian full-width forms. */
const formula = /^[=+\-@\t\r＝＋－＠]/;
const plainNumber = /^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$/i;

/** One value. A text that looks like a formula gets a leading apostrophe; numbers stay numbers. */
export function csvCell(value: unknown): string {
  const text = textOf(value);
  const safe = typeof value === "string" && formula.test(text) && !plainNumber.test(text) ? `'${text}` : text;
  return /[",\r\n]|^\s|\s$/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

function textOf(value: unknown): string {
  if (value === null || value === undefined) return "";
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? "" : value.toISOString();
  if (value instanceof Uint8Array) return Buffer.from(value).toString("hex");
  return typeof value === "object" ? JSON.stringify(value, exact) : String(value);
}

const exact = (_: string, value: unknown) => (typeof value === "bigint" ? String(value) : value);

export function csvLine(cells: readonly unknown[]): string {
  const line = cells.map(csvCell).join(",");
  // One empty cell, or a line that nobody would see.
  return `${line === "" && cells.length > 0 ? '""' : line}\r\n`;
}

/**
 * The table as CSV, compressed; null when that is over `maxBytes`. It is written line by line, so that a result is
 * not held a second time as text.
 */
export async function gzippedCsv({ columns, rows }: CsvTable, maxBytes: number): Promise<Buffer | null> {
  const gzip = createGzip();
  const chunks: Buffer[] = [];
  let size = 0;
  gzip.on("data", (chunk: Buffer) => {
    size += chunk.length;
    if (size <= maxBytes) chunks.push(chunk);
  });
  const ended = once(gzip, "end");
  for (const lines of linesOf(columns, rows)) {
    if (size > maxBytes) break;
    if (!gzip.write(lines)) await once(gzip, "drain");
  }
  gzip.end();
  await ended;
  return size > maxBytes ? null : Buffer.concat(chunks);
}

/** Writes many lines at a time, because each write has a cost. */
function* linesOf(columns: readonly string[], rows: Iterable<readonly unknown[]>): Generator<string> {
  let lines = csvLine(columns);
  for (const row of rows) {
    lines += csvLine(row);
    if (lines.length < 65_536) continue;
    yield lines;
    lines = "";
  }
  yield lines;
}
