import type { Kind } from "../data-sources/schema.ts";

export type Named = { schemaName: string; tableName: string };

/** A table's name as a key. SQL Server does not tell upper from lower case; the others keep names as they are. */
export function keyIn(kind: Kind, { schemaName, tableName }: Named): string {
  const key = JSON.stringify([schemaName, tableName]);
  return kind === "SqlServer" ? key.toLowerCase() : key;
}
