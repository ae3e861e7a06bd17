import type { ObservedColumn } from "../profile/observed-column.ts";
import type { ObservedTable } from "../profile/observed-table.ts";
import type { Observed } from "./find-segments.ts";

/** A table that rows refer to, read whole, with the column that refers to it and its key there. */
export type Parent = { via: string; key: string; table: ObservedTable };

/** A column of a table that rows refer to. */
export type ParentColumn = {
  via: string;
  key: string;
  of: Pick<ObservedTable, "schemaName" | "tableName" | "columns">;
  column: string;
};

/**
 * Adds the columns of the tables that rows refer to, named `customers.country`: what fails may come from upstream. Columns
 * of the parent that are its key, or different in every row, say no more than the reference itself. Pure.
 */
export function withParents(
  { all, failing }: Observed,
  parents: readonly Parent[],
): { observed: Observed; parentColumns: ReadonlyMap<string, ParentColumn> } {
  const parentColumns = new Map<string, ParentColumn>();
  const added = { all: [] as ObservedColumn[], failing: [] as ObservedColumn[] };
  const taken = new Set(all.columns.map(({ name }) => name));
  for (const { via, key, table } of parents) {
    const place = all.columns.findIndex(({ name }) => name === via);
    const keyColumn = table.columns.find(({ name }) => name === key);
    const [ofAll, ofFailing] = [all.columns[place], failing.columns[place]];
    if (!keyColumn || !ofAll || !ofFailing) continue;
    const rowOf = new Map<string, number>();
    for (const [row, index] of keyColumn.rows.entries())
      if (index >= 0) rowOf.set(keyColumn.values[index] ?? "", row);
    for (const column of table.columns) {
      const isTold =
        column.name !== key && (column.values.length < table.rowCount || column.moments !== null);
      const name = taken.has(`${table.tableName}.${column.name}`)
        ? `${table.tableName}.${column.name} (${via})`
        : `${table.tableName}.${column.name}`;
      if (!isTold || taken.has(name)) continue;
      taken.add(name);
      parentColumns.set(name, { via, key, of: table, column: column.name });
      added.all.push(lookedUp(column, name, ofAll, rowOf));
      added.failing.push(lookedUp(column, name, ofFailing, rowOf));
    }
  }
  return {
    observed: {
      all: { ...all, columns: [...all.columns, ...added.all] },
      failing: { ...failing, columns: [...failing.columns, ...added.failing] },
    },
    parentColumns,
  };
}

/** The parent's column for each row of the child. */
function lookedUp(
  column: ObservedColumn,
  name: string,
  reference: ObservedColumn,
  rowOf: ReadonlyMap<string, number>,
): ObservedColumn {
  const indexOf = reference.values.map((value) => {
    const row = rowOf.get(value);
    return row === undefined ? -1 : (column.rows[row] ?? -1);
  });
  const rows = reference.rows.map((index) => (index < 0 ? -1 : (indexOf[index] ?? -1)));
  const counts = new Int32Array(column.values.length);
  let nulls = 0;
  for (const index of rows)
    if (index < 0) nulls++;
    else counts[index] = (counts[index] ?? 0) + 1;
  return { ...column, name, isPrimaryKey: false, references: undefined, rows, counts, nulls };
}
