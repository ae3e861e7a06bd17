import { plural } from "../text.ts";
import type { Preview } from "./schema.ts";

const maxCharacters = 20_000;

/**
 * Rows as plain text for readers of text only: one per line, cells separated by bars, with a note if that is not all.
 */
export function resultText({ columns, rows, rowCount, truncated }: Preview): string {
  const lines = [line(columns.map(({ name }) => name))];
  let size = 0;
  for (const row of rows) {
    const next = line(row);
    size += next.length + 1;
    if (size > maxCharacters) break;
    lines.push(next);
  }
  const shown = lines.length - 1;
  const more = truncated ? "Truncated: there are more rows. " : "";
  const unshown =
    shown < rowCount ? `The first ${shown} follow; all of them are in the structured content. ` : "";
  return `${plural(rowCount, "row")}. ${more}${unshown}\n${lines.join("\n")}`;
}

const line = (cells: readonly unknown[]) => cells.map(cellText).join(" | ");

/** Keeps a cell on its line and between its bars. */
function cellText(cell: unknown): string {
  if (cell === null) return "NULL";
  return String(cell)
    .replaceAll("\\", "\\\\")
    .replaceAll("|", "\\|")
    .replaceAll("\n", "\\n")
    .replaceAll("\r", "\\r");
}
