import type { ColumnKind } from "../data-sources/dialects/dialect.ts";
import type { ColumnFacts } from "../profile/observed-column.ts";
import { type ObservedTable, observe } from "../profile/observed-table.ts";
import type { Candidate, Detector } from "./candidate.ts";

type Cell = string | number | boolean | null;

/** A column's facts, guessed from a short form: `id`, `price decimal`, `note text`. */
export function factsOf(described: string): ColumnFacts {
  const [name = "", kind = "text"] = described.split(" ");
  return { name, kind: kind as ColumnKind, type: kind, isNullable: true, isPrimaryKey: false };
}

/** A table of columns in the short form, with its rows. */
export function aTable(
  columns: readonly string[],
  rows: Iterable<readonly Cell[]>,
  tableName = "things",
): ObservedTable {
  return observe({ schemaName: "public", tableName, columns: columns.map(factsOf) }, rows);
}

/** A table of one column. */
export const aColumn = (described: string, values: readonly Cell[]): ObservedTable =>
  aTable(
    [described],
    values.map((value) => [value]),
  );

/** What one detector says of tables, where the clock stands at the beginning of 2025. */
export function saidOf(detect: Detector, ...tables: ObservedTable[]): Candidate[] {
  const database = { tables, now: Date.UTC(2025, 0, 1) };
  return tables.flatMap((table) => detect(table, database));
}
