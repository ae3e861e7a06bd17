import { and, asc, desc, eq, gte, inArray, isNull, sql } from "drizzle-orm";
import { type Connection, db } from "../../db/client.ts";
import { executions, subscriptions } from "../tables.ts";
import { shownSubscriptions } from "./load-subscriptions.ts";

/** An actor's subscriptions that are not archived, by id. The caller checks access. */
export async function listOwnedSubscriptions(actorId: number) {
  return shownSubscriptions(
    await db
      .select()
      .from(subscriptions)
      .where(and(eq(subscriptions.aiActorId, actorId), isNull(subscriptions.archivedAt)))
      .orderBy(asc(subscriptions.id)),
  );
}

/** The number of subscriptions by actor; actors without any are left out. */
export async function countOwnedSubscriptions(actorIds: readonly number[]): Promise<Map<number, number>> {
  if (actorIds.length === 0) return new Map();
  const rows = await db
    .select({ actorId: subscriptions.aiActorId, count: sql<number>`count(*)::int` })
    .from(subscriptions)
    .where(and(inArray(subscriptions.aiActorId, [...actorIds]), isNull(subscriptions.archivedAt)))
    .groupBy(subscriptions.aiActorId);
  return new Map(rows.map(({ actorId, count }) => [actorId ?? 0, count]));
}

/** How many subscriptions run a query: the actor's own and the others. */
export async function countSubscriptionsByOwner(connection: Connection, queryId: number, actorId: number) {
  const [counted] = await connection
    .select({
      own: sql<number>`(count(*) filter (where ${subscriptions.aiActorId} = ${actorId}))::int`,
      others: sql<number>`(count(*) filter (where ${subscriptions.aiActorId} is distinct from ${actorId}))::int`,
    })
    .from(subscriptions)
    .where(and(eq(subscriptions.queryId, queryId), isNull(subscriptions.archivedAt)));
  return { own: counted?.own ?? 0, others: counted?.others ?? 0 };
}

type LastExecution = Pick<
  typeof executions.$inferSelect,
  "id" | "subscriptionId" | "status" | "rowCount" | "errorMessage" | "executedAt"
>;

/**
 * The latest executions of each subscription in the last 90 days, newest first, by subscription; at most the given
 * number of each.
 */
export async function lastExecutionsOf(
  subscriptionIds: readonly number[],
  most: number,
): Promise<Map<number, LastExecution[]>> {
  if (subscriptionIds.length === 0) return new Map();
  const ranked = db
    .select({
      id: executions.id,
      subscriptionId: executions.subscriptionId,
      status: executions.status,
      rowCount: executions.rowCount,
      errorMessage: executions.errorMessage,
      executedAt: executions.executedAt,
      rank: sql<number>`row_number() over (partition by ${executions.subscriptionId}
        order by ${executions.executedAt} desc, ${executions.id} desc)`.as("rank"),
    })
    .from(executions)
    .where(
      and(
        inArray(executions.subscriptionId, [...subscriptionIds]),
        gte(executions.executedAt, sql`now() - interval '90 days'`),
      ),
    )
    .as("ranked");
  const rows = await db
    .select()
    .from(ranked)
    .where(sql`${ranked.rank} <= ${most}`)
    .orderBy(desc(ranked.executedAt), desc(ranked.id));
  return Map.groupBy(
    rows.map(({ rank: _, ...execution }) => execution),
    ({ subscriptionId }) => subscriptionId,
  );
}

/** The subscription if it belongs to the actor and is not archived; otherwise null. */
export async function findOwnedSubscription(connection: Connection, actorId: number, id: number) {
  const [found] = await connection
    .select({ id: subscriptions.id, queryId: subscriptions.queryId })
    .from(subscriptions)
    .where(
      and(eq(subscriptions.id, id), eq(subscriptions.aiActorId, actorId), isNull(subscriptions.archivedAt)),
    );
  return found ?? null;
}
