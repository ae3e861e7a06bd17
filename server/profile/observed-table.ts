import { type ColumnFacts, ColumnReader, type ObservedColumn } from "./observed-column.ts";

/** A table with the rows that were read: all of them, or some. */
export type ObservedTable = {
  schemaName: string;
  tableName: string;
  columns: readonly ObservedColumn[];
  /** The number of rows that were read. */
  rowCount: number;
  /** Whether these are all of the table's rows. */
  isWhole: boolean;
  /** The number of rows in the table, as exactly as it is known. */
  totalRows: number;
};

type Row = readonly (string | number | boolean | null)[];

/** A table's rows, column by column. The cells in `rows` have the order of `columns`. */
export function observe(
  {
    schemaName,
    tableName,
    columns,
  }: { schemaName: string; tableName: string; columns: readonly ColumnFacts[] },
  rows: Iterable<Row>,
  { isWhole = true, totalRows }: { isWhole?: boolean; totalRows?: number } = {},
): ObservedTable {
  const readers = columns.map((facts) => new ColumnReader(facts));
  let rowCount = 0;
  for (const row of rows) {
    rowCount++;
    for (const [index, reader] of readers.entries()) reader.add(row[index] ?? null);
  }
  return {
    schemaName,
    tableName,
    columns: readers.map((reader) => reader.end()),
    rowCount,
    isWhole,
    totalRows: totalRows ?? rowCount,
  };
}

/** Whether the column alone is the table's declared primary key, and not one part of it. */
export const isWholeKey = (column: ColumnFacts, table: { columns: readonly ColumnFacts[] }): boolean =>
  column.isPrimaryKey && table.columns.every((each) => each === column || !each.isPrimaryKey);
