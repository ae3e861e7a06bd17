import { eq } from "drizzle-orm";
import { db } from "../../db/client.ts";
import { dialectOf } from "../dialects/dialects.ts";
import { isRest } from "../kinds.ts";
import { dataSources } from "../tables.ts";

/** A database's name, dialect, and default schema; null if it does not exist or is no database. The caller checks access. */
export async function findDatabase(id: number) {
  const [row] = await db
    .select({ name: dataSources.name, kind: dataSources.kind, connection: dataSources.connection })
    .from(dataSources)
    .where(eq(dataSources.id, id));
  const dialect = row ? dialectOf(row.kind) : null;
  if (!row || dialect === null || isRest(row.connection)) return null;
  return { name: row.name, dialect, defaultSchema: dialect.defaultSchema(row.connection) };
}
