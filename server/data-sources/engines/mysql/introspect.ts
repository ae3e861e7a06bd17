import type { DatabaseSchema } from "../../database-schema.ts";
import type { Cell } from "../engine.ts";
import { schemaOf } from "../schema-tree.ts";

const ownSchemas = "('information_schema', 'mysql', 'performance_schema', 'sys')";

/**
 * Three simple queries, combined here: joins between these views have no index, and some servers open every table for
 * each of them. The views only show what the login has rights on.
 */
export const tablesQuery = `
select table_schema, table_name, table_type, table_rows, table_comment
from information_schema.tables
where lower(table_schema) not in ${ownSchemas}
  and table_type in ('BASE TABLE', 'SYSTEM VERSIONED', 'VIEW')`;

export const columnsQuery = `
select table_schema, table_name, column_name, column_type, is_nullable, column_comment
from information_schema.columns
where lower(table_schema) not in ${ownSchemas} and find_in_set('select', privileges) > 0
order by ordinal_position`;

export const keysQuery = `
select table_schema, table_name, constraint_name, column_name,
  referenced_table_schema, referenced_table_name, referenced_column_name
from information_schema.key_column_usage
where lower(table_schema) not in ${ownSchemas}
  and (constraint_name = 'PRIMARY' or referenced_column_name is not null)
order by ordinal_position`;

type Rows = readonly (readonly Cell[])[];

/** Combines the results of the three queries into a tree, by name. A table without readable columns is omitted. */
export function treeOf(tables: Rows, columns: Rows, keys: Rows): DatabaseSchema {
  const columnsByTable = grouped(columns);
  const keysByTable = grouped(keys);
  const found = tables.filter((row) => columnsByTable.has(keyOf(row)));
  const rows = found.sort(byName).flatMap((table) => {
    const [schemaName, tableName, type, estimate, comment] = table;
    const isView = type === "VIEW";
    const { primary, references } = keysIn(keysByTable.get(keyOf(table)) ?? []);
    const head = [
      schemaName ?? null,
      tableName ?? null,
      isView ? "View" : "Table",
      isView || estimate === null ? null : Number(estimate),
      isView ? null : textOrNull(comment),
    ];
    return (columnsByTable.get(keyOf(table)) ?? []).map(([, , name, columnType, nullable, said]): Cell[] => [
      ...head,
      name ?? null,
      columnType ?? null,
      nullable === "YES",
      textOrNull(said),
      primary.has(String(name)),
      ...(references.get(String(name)) ?? [null, null, null]),
    ]);
  });
  return schemaOf(rows);
}

/** The columns of the primary key, and the references of single columns. Multi-column foreign keys are ignored. */
function keysIn(rows: Rows) {
  const primary = new Set<string>();
  const lengths = new Map<Cell | undefined, number>();
  for (const [, , constraint] of rows) lengths.set(constraint, (lengths.get(constraint) ?? 0) + 1);
  const references = new Map<string, Cell[]>();
  for (const [, , constraint, column, ...target] of rows) {
    if (target[2] === null) primary.add(String(column));
    else if (lengths.get(constraint) === 1 && !references.has(String(column)))
      references.set(String(column), target);
  }
  return { primary, references };
}

function grouped(rows: Rows): Map<string, Rows[number][]> {
  const groups = new Map<string, Rows[number][]>();
  for (const row of rows) {
    const group = groups.get(keyOf(row));
    if (group) group.push(row);
    else groups.set(keyOf(row), [row]);
  }
  return groups;
}

const keyOf = ([schemaName, tableName]: readonly (Cell | undefined)[]) =>
  JSON.stringify([schemaName, tableName]);

function byName(a: readonly Cell[], b: readonly Cell[]): number {
  const [left, right] = [a, b].map(([schemaName, tableName]) => [String(schemaName), String(tableName)]);
  for (const index of [0, 1]) {
    const [one, other] = [left?.[index] ?? "", right?.[index] ?? ""];
    if (one !== other) return one < other ? -1 : 1;
  }
  return 0;
}

const textOrNull = (cell: Cell | undefined) => (typeof cell === "string" && cell !== "" ? cell : null);
