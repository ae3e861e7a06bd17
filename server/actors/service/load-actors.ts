import { and, asc, count, desc, eq, inArray, ne, type SQL } from "drizzle-orm";
import { maySeeProject, type SignedIn } from "../../auth/principal.ts";
import { namesOfUsers } from "../../auth/service/user-names.ts";
import { listDataSources } from "../../data-sources/service/load-data-sources.ts";
import { type Connection, db, type Transaction } from "../../db/client.ts";
import { Problem } from "../../errors.ts";
import { listOwnedQueries } from "../../queries/service/owned-queries.ts";
import { countSubscriptions } from "../../queries/service/subscriptions-of-queries.ts";
import {
  countOwnedSubscriptions,
  listOwnedSubscriptions,
} from "../../subscriptions/service/owned-subscriptions.ts";
import { modelInUse } from "../models/model-in-use.ts";
import { actorExecutions, actorMessages, actorRecipients, actors, plans } from "../tables.ts";
import { exhaustedBudget, findUnpriced, usedThisMonth } from "./budget.ts";
import { isOpen } from "./leases.ts";

export type StoredActor = typeof actors.$inferSelect;

export const actorNotFound = () => new Problem("not_found", "AI actor not found");

/** Throws not_found for an actor that is unknown, archived, or in a project that the caller cannot access. */
export async function getActorRow(
  { principal }: Pick<SignedIn, "principal">,
  id: number,
): Promise<StoredActor> {
  const [row] = await db
    .select()
    .from(actors)
    .where(and(eq(actors.id, id), ne(actors.status, "Archived")));
  if (!row || !maySeeProject(principal, row.projectId)) throw actorNotFound();
  return row;
}

/**
 * An actor's row, locked until the transaction ends: decisions about one actor run one at a time. Does not lock the
 * key: whoever has inserted a query that references the actor already holds a lock on it, and two of them would
 * deadlock.
 */
export async function lockActor(tx: Transaction, id: number): Promise<StoredActor> {
  const [row] = await tx.select().from(actors).where(eq(actors.id, id)).for("no key update");
  if (!row) throw actorNotFound();
  return row;
}

/** The recipients of an actor's subscriptions and notifications. */
export async function recipientIdsOf(actorId: number, connection: Connection = db): Promise<number[]> {
  return (await loadRecipientIds([actorId], connection)).get(actorId) ?? [];
}

/** Actors as they are shown, in the order of their rows, with a fixed number of queries. */
export async function shownActors(ctx: SignedIn, rows: readonly StoredActor[]) {
  const ids = rows.map(({ id }) => id);
  if (ids.length === 0) return [];
  const [sources, users, recipientsOf, used, unpriced, pending, current, queries, subscriptionCounts] =
    await Promise.all([
      listDataSources(ctx),
      namesOfUsers(rows.map(({ createdById }) => createdById)),
      loadRecipientIds(ids, db),
      usedThisMonth(ids),
      findUnpriced(ids),
      countPending(ids),
      loadCurrent(ids),
      listOwnedQueries(ids),
      countOwnedSubscriptions(ids),
    ]);
  const sourceNames = new Map(sources.items.map(({ id, name }) => [id, name]));
  const queriesOf = Map.groupBy(queries, ({ ownerActorId }) => ownerActorId);
  const { isBuiltIn, price } = modelInUse();
  return rows.map((row) => {
    const usedThisMonth = used.get(row.id) ?? { tokens: 0, cost: 0 };
    const hasBudget = row.budgetTokens !== null || row.budgetCost !== null;
    return {
      id: row.id,
      name: row.name,
      instructions: row.instructions,
      additionalContext: row.additionalContext,
      wishes: row.wishes,
      projectId: row.projectId,
      dataSourceId: row.dataSourceId,
      dataSourceName: sourceNames.get(row.dataSourceId) ?? "",
      maxQueries: row.maxQueries,
      maxSubscriptionsPerQuery: row.maxSubscriptionsPerQuery,
      defaultRecipientIds: recipientsOf.get(row.id) ?? [],
      activateImmediately: row.activateImmediately,
      requiresApproval: row.requiresApproval,
      revision: row.revision,
      monthlyBudget: hasBudget ? { tokens: row.budgetTokens, cost: row.budgetCost } : null,
      budgetExhausted: !isBuiltIn && exhaustedBudget(row, usedThisMonth, price !== null) !== null,
      usedThisMonth,
      status: row.status,
      lastError: row.lastError,
      totalTokensUsed: row.totalTokensUsed,
      totalCost: row.totalCost,
      costIsPartial: unpriced.has(row.id),
      thinkCount: row.thinkCount,
      lastThinkAt: row.lastThinkAt,
      pendingPlanCount: pending.get(row.id) ?? 0,
      queryCount: queriesOf.get(row.id)?.length ?? 0,
      subscriptionCount: subscriptionCounts.get(row.id) ?? 0,
      currentExecution: current.get(row.id) ?? null,
      createdBy: users.get(row.createdById) ?? { id: row.createdById, name: "" },
      createdAt: row.createdAt,
    };
  });
}

/** What an actor's page shows in addition to its row in the list. */
export async function loadBelongings(actorId: number) {
  const [queries, subscriptions, conversation] = await Promise.all([
    listOwnedQueries([actorId]),
    listOwnedSubscriptions(actorId),
    loadConversation(actorId, 200),
  ]);
  const counts = await countSubscriptions(queries.map(({ id }) => id));
  return {
    queries: queries.map(({ id, name, isLocked, activeVersion }) => ({
      ...{ id, name, isLocked, activeVersion },
      subscriptionCount: counts.get(id) ?? 0,
    })),
    subscriptions: subscriptions.map(
      ({ id, queryId, queryName, cronExpression, timezone, enabled, lastExecution }) => ({
        ...{ id, queryId, queryName, cronExpression, timezone, enabled, lastExecution },
      }),
    ),
    conversation,
  };
}

/** The latest messages, oldest first. */
export async function loadConversation(actorId: number, maxMessages: number) {
  const rows = await db
    .select()
    .from(actorMessages)
    .where(eq(actorMessages.actorId, actorId))
    .orderBy(desc(actorMessages.id))
    .limit(maxMessages);
  const users = await namesOfUsers(rows.map(({ userId }) => userId));
  return rows.reverse().map(({ id, role, userId, text, createdAt, executionId }) => ({
    ...{ id, role, text, createdAt, executionId },
    user: userId === null ? null : (users.get(userId) ?? null),
  }));
}

async function loadRecipientIds(actorIds: number[], connection: Connection) {
  const links = await connection
    .select()
    .from(actorRecipients)
    .where(inArray(actorRecipients.actorId, actorIds))
    .orderBy(asc(actorRecipients.recipientId));
  const groups = Map.groupBy(links, ({ actorId }) => actorId);
  return new Map([...groups].map(([id, own]) => [id, own.map(({ recipientId }) => recipientId)]));
}

const isPending: SQL = eq(plans.status, "PendingApproval");

async function countPending(actorIds: number[]): Promise<Map<number, number>> {
  const rows = await db
    .select({ actorId: plans.actorId, count: count() })
    .from(plans)
    .where(and(inArray(plans.actorId, actorIds), isPending))
    .groupBy(plans.actorId);
  return new Map(rows.map(({ actorId, count }) => [actorId, count]));
}

/** The current execution of each actor: if there are several, the one that began first. */
async function loadCurrent(actorIds: number[]) {
  const rows = await db
    .select({
      actorId: actorExecutions.actorId,
      id: actorExecutions.id,
      phase: actorExecutions.phase,
      trigger: actorExecutions.trigger,
    })
    .from(actorExecutions)
    .where(and(inArray(actorExecutions.actorId, actorIds), isOpen))
    .orderBy(desc(actorExecutions.id));
  return new Map(rows.map(({ actorId, ...execution }) => [actorId, execution]));
}
