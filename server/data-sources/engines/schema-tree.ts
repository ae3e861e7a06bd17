import type { DatabaseSchema } from "../database-schema.ts";
import type { Cell } from "./engine.ts";

type Items = DatabaseSchema["items"];
type Table = Items[number]["tables"][number];

/**
 * Builds a tree from columns with their tables, sorted by schema, table, and column. A row holds the schema, the table,
 * its kind, row estimate, and comment; the column's name, type, nullability, comment, and whether it is in the primary
 * key; and the schema, table, and column that it references. A table without columns is one row without a column.
 */
export function schemaOf(rows: readonly (readonly Cell[])[]): DatabaseSchema {
  const items: Items = [];
  for (const row of rows) {
    const [schemaName, tableName, kind, rowEstimate, comment, columnName] = row;
    let schema = items.at(-1);
    if (!schema || schema.schemaName !== schemaName) {
      schema = { schemaName: String(schemaName), tables: [] };
      items.push(schema);
    }
    let table = schema.tables.at(-1);
    if (!table || table.tableName !== tableName) {
      table = {
        tableName: String(tableName),
        kind: kind as Table["kind"],
        rowEstimate: typeof rowEstimate === "number" ? rowEstimate : null,
        comment: textOrNull(comment),
        columns: [],
      };
      schema.tables.push(table);
    }
    if (columnName !== null) table.columns.push(columnOf(row));
  }
  return { items };
}

function columnOf(row: readonly Cell[]): Table["columns"][number] {
  const [name, type, nullable, comment, isPrimaryKey, ...target] = row.slice(5);
  const [schemaName, tableName, columnName] = target;
  return {
    name: String(name),
    type: String(type),
    nullable: nullable === true,
    comment: textOrNull(comment),
    isPrimaryKey: isPrimaryKey === true,
    ...(columnName != null && {
      references: {
        schemaName: String(schemaName),
        tableName: String(tableName),
        columnName: String(columnName),
      },
    }),
  };
}

const textOrNull = (cell: Cell | undefined) => (typeof cell === "string" ? cell : null);
