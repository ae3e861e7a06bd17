import type { DatabaseSchema } from "../data-sources/database-schema.ts";

type Table = DatabaseSchema["items"][number]["tables"][number] & { schemaName: string };
type Described = { schemaName: string; tableName: string; columnName: string | null; description: string };

/** Adds people's descriptions of a table and its columns to the comments, before the database's own. */
export function withDescriptions<T extends Table>(table: T, descriptions: readonly Described[]): T {
  const own = descriptions.filter(
    ({ schemaName, tableName }) => schemaName === table.schemaName && tableName === table.tableName,
  );
  if (own.length === 0) return table;
  const said = new Map(own.map(({ columnName, description }) => [columnName, description]));
  const together = (columnName: string | null, comment: string | null) =>
    [said.get(columnName), comment].filter(Boolean).join(" · ") || null;
  return {
    ...table,
    comment: together(null, table.comment),
    columns: table.columns.map((column) => ({ ...column, comment: together(column.name, column.comment) })),
  };
}
