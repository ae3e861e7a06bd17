import { inArray } from "drizzle-orm";
import { db } from "../../db/client.ts";
import { queries } from "../tables.ts";

/** Query names by id, including archived queries, whose history is kept. */
export async function findQueryNames(ids: readonly number[]): Promise<Map<number, string>> {
  const wanted = [...new Set(ids)];
  if (wanted.length === 0) return new Map();
  const rows = await db
    .select({ id: queries.id, name: queries.name })
    .from(queries)
    .where(inArray(queries.id, wanted));
  return new Map(rows.map(({ id, name }) => [id, name]));
}

/** Query names including archived ones, to join when sorting what belongs to them by name. */
export const queryNames = () =>
  db.select({ id: queries.id, name: queries.name }).from(queries).as("query_names");
