import { createHash } from "node:crypto";
import type { DatabaseSchema } from "../data-sources/database-schema.ts";
import { namedIn } from "../data-sources/named-in.ts";

/**
 * The shape of the tables that some SQL may read: the names and types of their columns, as one short text. A table
 * counts if its name occurs anywhere in the SQL as a word; too many are better than too few. null without SQL.
 */
export function schemaFingerprint(
  items: DatabaseSchema["items"],
  statements: readonly string[],
): string | null {
  if (statements.length === 0) return null;
  const isNamed = namedIn(statements);
  const named = items.flatMap(({ schemaName, tables }) =>
    tables
      .filter(({ tableName }) => isNamed(tableName))
      .map(({ tableName, columns }) => [
        schemaName,
        tableName,
        columns.map(({ name, type }) => [name, type]),
      ]),
  );
  return createHash("sha256").update(JSON.stringify(named)).digest("hex");
}
