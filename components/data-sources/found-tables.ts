import type { DatabaseSchema } from "@/server/data-sources/database-schema.ts";
import { containsWords } from "../ui/matching.ts";

type Schema = DatabaseSchema["items"][number];
type Table = Schema["tables"][number];

export type FoundTable = Table & {
  schemaName: string;
  /** The columns to show: all, or only the matching ones. */
  shown: Table["columns"];
  /** Whether columns match, so that the table should be expanded. */
  isOpenedBySearch: boolean;
};

/**
 * The tables that match a search. A match in the table's name or comment shows all its columns; otherwise only
 * matching columns are shown, where name, type, comment, and the table's name are searched together.
 */
export function foundTables(schemas: readonly Schema[], search: string): FoundTable[] {
  return schemas.flatMap(({ schemaName, tables }) =>
    tables.flatMap((table): FoundTable[] => {
      const name = `${schemaName}.${table.tableName}`;
      if (containsWords(`${name} ${table.comment ?? ""}`, search))
        return [{ ...table, schemaName, shown: table.columns, isOpenedBySearch: false }];
      const shown = table.columns.filter((column) =>
        containsWords(`${name}.${column.name} ${column.type} ${column.comment ?? ""}`, search),
      );
      return shown.length > 0 ? [{ ...table, schemaName, shown, isOpenedBySearch: true }] : [];
    }),
  );
}

/** Counts of schemas, tables (including views), and columns. */
export function sizeOf(schemas: readonly Schema[]): { schemas: number; tables: number; columns: number } {
  const tables = schemas.flatMap((schema) => schema.tables);
  return {
    schemas: schemas.length,
    tables: tables.length,
    columns: tables.reduce((sum, table) => sum + table.columns.length, 0),
  };
}
