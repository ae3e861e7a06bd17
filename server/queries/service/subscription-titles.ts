import { inArray, sql } from "drizzle-orm";
import { type Connection, db } from "../../db/client.ts";
import { subscriptions } from "../../subscriptions/tables.ts";
import { titleOf } from "../subscription-title.ts";
import { queries } from "../tables.ts";

/** What subscriptions are called, by id, including archived ones, whose history is kept. */
export async function findSubscriptionTitles(
  ids: readonly (number | null)[],
  connection: Connection = db,
): Promise<Map<number, string>> {
  const wanted = [...new Set(ids.flatMap((id) => (id === null ? [] : [id])))];
  if (wanted.length === 0) return new Map();
  const others = sql`from ${subscriptions} as other where other.query_id = ${subscriptions.queryId}
    and other.id <> ${subscriptions.id} and other.archived_at is null and other.name is null`;
  const rows = await connection
    .select({
      id: subscriptions.id,
      name: subscriptions.name,
      queryName: queries.name,
      cronExpression: subscriptions.cronExpression,
      siblings: sql<number>`(select count(*)::int ${others})`,
      siblingsInStep: sql<number>`(
        select count(*)::int ${others} and other.cron_expression = ${subscriptions.cronExpression}
      )`,
    })
    .from(subscriptions)
    .innerJoin(queries, sql`${queries.id} = ${subscriptions.queryId}`)
    .where(inArray(subscriptions.id, wanted));
  return new Map(rows.map((row) => [row.id, titleOf(row)]));
}

/** A subscription's title in a transaction that has changed it. */
export async function titleOfSubscription(connection: Connection, id: number): Promise<string> {
  return (await findSubscriptionTitles([id], connection)).get(id) ?? "";
}
