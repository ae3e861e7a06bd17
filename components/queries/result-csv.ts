/** A result as a CSV file (RFC 4180) in which spreadsheets take no value for a formula. */

type Cell = string | number | boolean | null;

const formula = /^[=+\-@\t\r＝＋－＠]/;
const plainNumber = /^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$/i;

export function resultCsv(columns: readonly { name: string }[], rows: readonly (readonly Cell[])[]): string {
  return [columns.map(({ name }) => name), ...rows].map(lineOf).join("");
}

function lineOf(cells: readonly Cell[]): string {
  const line = cells.map(cellOf).join(",");
  // A lone empty cell is quoted; otherwise the line would be blank and get lost.
  return `${line === "" ? '""' : line}\r\n`;
}

/** Text that looks like a formula gets a leading apostrophe; NULL is empty. */
function cellOf(cell: Cell): string {
  const text = cell === null ? "" : String(cell);
  const safe = typeof cell === "string" && formula.test(text) && !plainNumber.test(text) ? `'${text}` : text;
  return /[",\r\n]|^\s|\s$/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** A file name for a query's name: letters and digits of any script, everything else as hyphens. */
export function csvFileName(queryName: string): string {
  const words = queryName.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "-");
  return `${words.replace(/^-+|-+$/g, "").slice(0, 80) || "result"}.csv`;
}
