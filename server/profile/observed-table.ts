import { type ColumnFacts, ColumnReader, type ObservedColumn } from "./observed-column.ts";

/** A table with the rows that were read of it: all of them, or some. */
export type ObservedTable = {
  schemaName: string;
  tableName: string;
  columns: readonly ObservedColumn[];
  /** How many rows were read. */
  rowCount: number;
  /** Whether these are all rows of the table. */
  isWhole: boolean;
  /** How many rows the table has, as exactly as that is known. */
  totalRows: number;
};

type Row = readonly (string | number | boolean | null)[];

/** What was read of a table, column by column. `rows` have their cells in the order of `columns`. */
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
