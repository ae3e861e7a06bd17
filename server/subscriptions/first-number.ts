import type { Cell } from "../data-sources/engines/engine.ts";

type Result = { columns: readonly { name: string; type: string }[]; rows: readonly (readonly Cell[])[] };

/** The engines' names for numeric types: int8, BIGINT UNSIGNED, numeric, DECIMAL(10,2), Float, money. */
const numeric =
  /^(small|big|tiny|medium|huge|u|us)?(int|serial)|integer|numeric|decimal|float|double|real|money|number/i;

/**
 * The first row's value in the first numeric column, and that column's name; null if there is no row, no such column,
 * or no value.
 */
export function firstNumber({ columns, rows }: Result): { column: string; value: number } | null {
  const [row] = rows;
  const index = columns.findIndex(({ type }) => numeric.test(type));
  const cell = row?.[index];
  const column = columns[index];
  if (!column || cell === undefined || cell === null || cell === "") return null;
  const value = Number(cell);
  return Number.isFinite(value) ? { column: column.name, value } : null;
}
