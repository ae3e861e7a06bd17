import { inArray } from "drizzle-orm";
import type { Connection } from "../../db/client.ts";
import { findFirstSources } from "../../queries/service/first-sources.ts";
import { subscriptions } from "../tables.ts";

/** The data source that each subscription's query reads first. */
export async function firstSourcesOf(
  connection: Connection,
  subscriptionIds: readonly number[],
): Promise<Map<number, number>> {
  const rows = await connection
    .select({ id: subscriptions.id, queryId: subscriptions.queryId })
    .from(subscriptions)
    .where(inArray(subscriptions.id, [...subscriptionIds]));
  const sources = await findFirstSources(
    connection,
    rows.map(({ queryId }) => queryId),
  );
  return new Map(
    rows.flatMap(({ id, queryId }) => {
      const source = sources.get(queryId);
      return source === undefined ? [] : [[id, source]];
    }),
  );
}
