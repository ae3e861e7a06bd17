import { filledRows, type ObservedColumn } from "../profile/observed-column.ts";
import type { ObservedTable } from "../profile/observed-table.ts";
import { wordsOf } from "./names.ts";

const loads = new Set(
  "created loaded updated inserted imported ingested modified synced recorded received added load timestamp".split(
    " ",
  ),
);
const leastFilled = 0.95;

/** The column of moments that says when rows came into a table; null where none does. Pure. */
export function loadColumnOf(table: ObservedTable): {
  column: ObservedColumn;
  /** Whether the column's name says that it is about loading. */
  isNamed: boolean;
} | null {
  const columns = table.columns.filter(
    (column) => column.moments !== null && filledRows(column) >= table.rowCount * leastFilled,
  );
  const named = columns.filter(({ name }) => wordsOf(name).some((word) => loads.has(word)));
  const [column] = named.length > 0 ? named : columns.length === 1 ? columns : [];
  if (!column || (named.length === 0 && !runsWithRows(table, column))) return null;
  return { column, isNamed: named.length > 0 };
}

/** Births do not come in the order in which people are entered; orders do. */
function runsWithRows({ columns }: ObservedTable, { moments, rows, values }: ObservedColumn): boolean {
  const keys = columns.filter((each) => each.numbers && each.values.length === each.rows.length);
  const at = (row: number) => moments?.[rows[row] ?? -1] ?? Number.NaN;
  if (values.length < 2) return false;
  return [null, ...keys].some((key) => {
    const place = (row: number) => (key ? (key.numbers?.[key.rows[row] ?? -1] ?? 0) : row);
    let [agree, all] = [0, 0];
    for (let index = 0; index < 1000; index++) {
      const [a, b] = [(index * 7919) % rows.length, (index * 104_729 + 17) % rows.length];
      const order = (at(a) - at(b)) * (place(a) - place(b));
      if (Number.isNaN(order) || order === 0) continue;
      all++;
      if (order > 0) agree++;
    }
    return agree > all * 0.9;
  });
}
