import type { DatabaseSchema } from "@/server/data-sources/schema.ts";
import { holdsWords } from "../ui/matching.ts";

type Schema = DatabaseSchema["items"][number];
type Table = Schema["tables"][number];

export type FoundTable = Table & {
  schemaName: string;
  /** The columns to show: all of them, or those that the search is about. */
  shown: Table["columns"];
  /** Whether the search is about columns of the table, so that they should be seen at once. */
  isOpenedBySearch: boolean;
};

/**
 * The tables that a search is about. One that is found by its own name or comment comes with all columns; else
 * it comes with the columns that are found, each by its name, type or comment and its table's name together.
 */
export function foundTables(schemas: readonly Schema[], search: string): FoundTable[] {
  return schemas.flatMap(({ schemaName, tables }) =>
    tables.flatMap((table): FoundTable[] => {
      const name = `${schemaName}.${table.tableName}`;
      if (holdsWords(`${name} ${table.comment ?? ""}`, search))
        return [{ ...table, schemaName, shown: table.columns, isOpenedBySearch: false }];
      const shown = table.columns.filter((column) =>
        holdsWords(`${name}.${column.name} ${column.type} ${column.comment ?? ""}`, search),
      );
      return shown.length > 0 ? [{ ...table, schemaName, shown, isOpenedBySearch: true }] : [];
    }),
  );
}

/** How much there is: schemas, tables (views among them) and columns. */
export function sizeOf(schemas: readonly Schema[]): { schemas: number; tables: number; columns: number } {
  const tables = schemas.flatMap((schema) => schema.tables);
  return {
    schemas: schemas.length,
    tables: tables.length,
    columns: tables.reduce((sum, table) => sum + table.columns.length, 0),
  };
}
