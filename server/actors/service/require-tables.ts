import type { SignedIn } from "../../auth/principal.ts";
import type { DatabaseSchema } from "../../data-sources/database-schema.ts";
import { getSchema, refreshSchema } from "../../data-sources/service/read-schema.ts";
import { invalidRequest } from "../../errors.ts";
import type { Exclusion, Wishes } from "../wishes.ts";

/**
 * Rejects wishes that name something the data source does not have, each with its path. Reads the schema again if the
 * known one lacks something. Throws invalid, and Problem if the data source does not respond. Not for use in a
 * transaction.
 */
export async function requireTables(
  ctx: SignedIn,
  dataSourceId: number,
  { tables, exclude }: Pick<Wishes, "tables" | "exclude">,
): Promise<void> {
  const named = [
    ...tables.map((choice, index) => ({ choice, path: `wishes.tables.${index}` })),
    ...exclude.map((choice, index) => ({ choice, path: `wishes.exclude.${index}` })),
  ];
  if (named.length === 0) return;
  const missingIn = ({ items }: Pick<DatabaseSchema, "items">) =>
    named.flatMap(({ choice, path }) => {
      const message = problemWith(choice, items);
      return message === null ? [] : [{ path, message }];
    });
  if (missingIn(await getSchema(ctx, dataSourceId)).length === 0) return;
  const errors = missingIn(await refreshSchema(ctx, dataSourceId));
  if (errors.length > 0) throw invalidRequest(errors);
}

function problemWith(choice: Exclusion, items: DatabaseSchema["items"]): string | null {
  const schema = items.find(({ schemaName }) => schemaName === choice.schemaName);
  if (!schema) return "names a schema that the data source does not have";
  if (!choice.tableName) return null;
  const table = schema.tables.find(({ tableName }) => tableName === choice.tableName);
  if (!table) return "names a table that the data source does not have";
  if (!choice.columnName) return null;
  return table.columns.some(({ name }) => name === choice.columnName)
    ? null
    : "names a column that the table does not have";
}
