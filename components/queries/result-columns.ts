import type { Preview } from "@/server/queries/schema.ts";

type Cell = Preview["rows"][number][number];

/** How a result column is displayed. */
export type ColumnLook = { isNumeric: boolean /** In pixels. */; width: number };

const numericType =
  /^(?:u?(?:tiny|small|medium|big|huge)?int(?:eger)?\d*|u?int\d+|numeric|decimal|dec|real|double|float\d*|(?:small)?money|number)\b/i;
const sampled = 200;
const [least, most, around] = [64, 360, 20];
/** Tabular digits are wider than most letters. */
const [perLetter, perDigit] = [7.5, 8.4];

/** NULL is empty; numbers, decimals, and dates are shown exactly as the server sent them. */
export const textOfCell = (cell: Cell): string => (cell === null ? "" : String(cell));

/** Widths that fit most values of the first rows; numbers are right-aligned. */
export function columnLooks(columns: Preview["columns"], rows: Preview["rows"]): ColumnLook[] {
  const sample = rows.slice(0, sampled);
  return columns.map(({ name, type }, column) => {
    const cells = sample.map((row) => row[column] ?? null).filter((cell) => cell !== null);
    const areNumbers = cells.length > 0 && cells.every((cell) => typeof cell === "number");
    const longest = Math.max(name.length, type.length * 0.9, 4, ...cells.map((cell) => String(cell).length));
    const isNumeric = areNumbers || numericType.test(type);
    const wanted = longest * (isNumeric ? perDigit : perLetter) + around;
    return {
      isNumeric,
      width: Math.round(Math.min(Math.max(wanted, least), most)),
    };
  });
}
