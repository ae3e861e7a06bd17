/** A result as a file that spreadsheets open (RFC 4180), in which no value is taken for a formula. */

type Cell = string | number | boolean | null;

const formula = /^[=+\-@\t\r＝＋－＠]/;
const plainNumber = /^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$/i;

export function resultCsv(columns: readonly { name: string }[], rows: readonly (readonly Cell[])[]): string {
  return [columns.map(({ name }) => name), ...rows].map(lineOf).join("");
}

function lineOf(cells: readonly Cell[]): string {
  const line = cells.map(cellOf).join(",");
  // One empty cell, or a line that nobody would see.
  return `${line === "" ? '""' : line}\r\n`;
}

/** A text that would be a formula gets an apostrophe before it; NULL is nothing at all. */
function cellOf(cell: Cell): string {
  const text = cell === null ? "" : String(cell);
  const safe = typeof cell === "string" && formula.test(text) && !plainNumber.test(text) ? `'${text}` : text;
  return /[",\r\n]|^\s|\s$/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** A file's name of a query's: letters and digits of any script, and hyphens for the rest. */
export function csvFileName(queryName: string): string {
  const words = queryName.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "-");
  return `${words.replace(/^-+|-+$/g, "").slice(0, 80) || "result"}.csv`;
}
