import { maskRows } from "../../masking.ts";
import type { Cell, NotificationContent } from "../content.ts";

type Table = NonNullable<NotificationContent["table"]>;

/** A value, formatted for people. */
export const cellText = (cell: Cell | undefined) =>
  cell === null || cell === undefined ? "–" : String(cell).replace(/\s+/g, " ");

/** "The first 10 of 312 rows", "All 3 rows", in words. */
export function rowsInWords(shown: number, { rowCount }: Table): string {
  if (shown >= rowCount) return rowCount === 1 ? "The only row" : `All ${rowCount.toLocaleString("en")} rows`;
  return `The first ${shown} of ${rowCount.toLocaleString("en")} rows`;
}

/** With a column that marks new rows, if some of those shown are new and others are not. */
export function withNewMarks(table: Table, shown: number): Table {
  const rows = table.rows.slice(0, shown);
  const isNew = rows.map((_, place) => table.newRows?.includes(place) ?? false);
  if (!isNew.includes(true) || !isNew.includes(false)) return table;
  return {
    ...table,
    columns: ["", ...table.columns],
    rows: rows.map((row, place) => [isNew[place] ? "new" : "", ...row]),
  };
}

/** At most five rows, masked as samples are, with new ones marked: for channels that many people read. */
export function chatTable(table: Table): { table: Table; maskedColumns: string[] } {
  const rows = table.rows.slice(0, 5);
  const masked = maskRows({ columns: table.columns.map((name) => ({ name })), rows });
  return {
    table: withNewMarks({ ...table, rows: masked.rows }, rows.length),
    maskedColumns: masked.maskedColumns,
  };
}

/** "The first 5 of 312 rows. Masked: email, name". */
export const chatRowsInWords = (shown: number, table: Table, maskedColumns: readonly string[]): string =>
  [rowsInWords(shown, table), maskedColumns.length > 0 && `Masked: ${maskedColumns.join(", ")}`]
    .filter(Boolean)
    .join(". ");

/** The first rows in aligned columns, for monospaced fonts; null if none fits. Widths are counted in code points. */
export function alignedRows(
  table: Table,
  max: { rows: number; columns: number; cell: number; characters: number },
): { text: string; shown: number } | null {
  const columns = table.columns.slice(0, max.columns);
  const lines = [
    columns,
    ...table.rows.slice(0, max.rows).map((row) => columns.map((_, i) => row[i] ?? null)),
  ];
  const cells = lines.map((line) => line.map((cell) => cut(cellText(cell), max.cell)));
  const widths = columns.map((_, i) => Math.max(...cells.map((line) => [...(line[i] ?? "")].length)));
  const isNumber = figureColumns(table);
  const text = cells.map((line) =>
    line
      .map((cell, i) => pad(cell, widths[i] ?? 0, isNumber[i] ?? false))
      .join("  ")
      .trimEnd(),
  );
  let shown = text.length;
  while (shown > 1 && text.slice(0, shown).join("\n").length > max.characters) shown -= 1;
  return shown > 1 ? { text: text.slice(0, shown).join("\n"), shown: shown - 1 } : null;
}

const isFigure = (cell: Cell | undefined) =>
  typeof cell === "number" || cell === null || (typeof cell === "string" && /^-?\d+(\.\d+)?$/.test(cell));

/** Numeric columns, which are right-aligned. */
export const figureColumns = ({ columns, rows }: Table) =>
  columns.map((_, i) => rows.length > 0 && rows.every((row) => isFigure(row[i])));

function cut(text: string, max: number): string {
  const points = [...text];
  return points.length <= max ? text : `${points.slice(0, max - 1).join("")}…`;
}

function pad(text: string, width: number, toTheRight: boolean): string {
  const space = " ".repeat(Math.max(0, width - [...text].length));
  return toTheRight ? space + text : text + space;
}
