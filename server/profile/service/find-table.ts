import type { SignedIn } from "../../auth/principal.ts";
import type { DatabaseSchema } from "../../data-sources/database-schema.ts";
import { getSchema, refreshSchema } from "../../data-sources/service/read-schema.ts";
import { Problem } from "../../errors.ts";
import type { TableToRead } from "./read-table.ts";

type Table = DatabaseSchema["items"][number]["tables"][number];
type Named = { schemaName: string; tableName: string };

/** undefined for a table that is not in the schema. */
export function tableIn({ items }: DatabaseSchema, { schemaName, tableName }: Named): Table | undefined {
  const tables = items.find((each) => each.schemaName === schemaName)?.tables;
  return tables?.find((each) => each.tableName === tableName);
}

/**
 * A table as the data source's schema was last read, or else as it is now. Throws not_found, and what a data source
 * that does not respond throws.
 */
export async function findTable(ctx: SignedIn, dataSourceId: number, name: Named): Promise<TableToRead> {
  for (const read of [getSchema, refreshSchema]) {
    const table = tableIn(await read(ctx, dataSourceId), name);
    if (table) return { ...table, schemaName: name.schemaName };
  }
  throw new Problem("not_found", "Table not found");
}
