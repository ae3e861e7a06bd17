import { and, count, eq, inArray, isNull, sql } from "drizzle-orm";
import { type Connection, db, type Transaction } from "../../db/client.ts";
import { subscriptions } from "../../subscriptions/tables.ts";

/** The number of subscriptions by query; queries without any are left out. */
export async function countSubscriptions(
  queryIds: readonly number[],
  connection: Connection = db,
): Promise<Map<number, number>> {
  if (queryIds.length === 0) return new Map();
  const rows = await connection
    .select({ queryId: subscriptions.queryId, count: count() })
    .from(subscriptions)
    .where(and(inArray(subscriptions.queryId, [...queryIds]), isNull(subscriptions.archivedAt)))
    .groupBy(subscriptions.queryId);
  return new Map(rows.map(({ queryId, count }) => [queryId, count]));
}

const isOf = (queryId: number) => and(eq(subscriptions.queryId, queryId), isNull(subscriptions.archivedAt));

export async function listSubscriptionIds(tx: Transaction, queryId: number): Promise<number[]> {
  const rows = await tx.select({ id: subscriptions.id }).from(subscriptions).where(isOf(queryId));
  return rows.map(({ id }) => id);
}

/**
 * Archives a query's subscriptions: unscheduled and gone from every list, as if each were archived by itself. Returns their
 * ids.
 */
export async function archiveSubscriptionsOf(tx: Transaction, queryId: number): Promise<number[]> {
  const archived = await tx
    .update(subscriptions)
    .set({ archivedAt: sql`now()`, nextRunAt: null })
    .where(isOf(queryId))
    .returning({ id: subscriptions.id });
  return archived.map(({ id }) => id);
}
