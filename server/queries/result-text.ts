import type { Preview } from "./schema.ts";

const most = 20_000;

/** Rows as text, one to a line, for whoever reads text alone: cells between bars, and plainly whether it is all. */
export function resultText({ columns, rows, rowCount, truncated }: Preview): string {
  const lines = [line(columns.map(({ name }) => name))];
  let size = 0;
  for (const row of rows) {
    const next = line(row);
    size += next.length + 1;
    if (size > most) break;
    lines.push(next);
  }
  const shown = lines.length - 1;
  const more = truncated ? "Truncated: there are more rows than these. " : "";
  const unshown = shown < rowCount ? `The first ${shown} follow; all are in the structured content. ` : "";
  return `${rowCount} ${rowCount === 1 ? "row" : "rows"}. ${more}${unshown}\n${lines.join("\n")}`;
}

const line = (cells: readonly unknown[]) => cells.map(cellText).join(" | ");

/** A cell stays within its line and its bars. */
function cellText(cell: unknown): string {
  if (cell === null) return "NULL";
  return String(cell)
    .replaceAll("\\", "\\\\")
    .replaceAll("|", "\\|")
    .replaceAll("\n", "\\n")
    .replaceAll("\r", "\\r");
}
