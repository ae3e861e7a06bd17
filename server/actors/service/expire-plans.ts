import { and, eq, inArray } from "drizzle-orm";
import { findKnownSchema } from "../../data-sources/service/known-tables.ts";
import { db, type Transaction } from "../../db/client.ts";
import { listOwnedQueries } from "../../queries/service/owned-queries.ts";
import { textsOf } from "../check-actions.ts";
import { schemaFingerprint } from "../schema-fingerprint.ts";
import { actorActions, actors, plans } from "../tables.ts";
import { lockActor } from "./load-actors.ts";
import { loadActions, type StoredPlan } from "./load-plans.ts";
import { notifyPlan } from "./notify-plan.ts";
import { withdrawPlans } from "./tell-about-plan.ts";

type Actor = Pick<typeof actors.$inferSelect, "id" | "projectId" | "dataSourceId" | "createdById" | "status">;

/** Expires an actor's pending plans, and returns how many. The caller has locked the actor. */
export async function expirePlans(tx: Transaction, actor: Actor, reason: string): Promise<number> {
  const expired = await tx
    .update(plans)
    .set({ status: "Expired", expiredReason: reason })
    .where(and(eq(plans.actorId, actor.id), eq(plans.status, "PendingApproval")))
    .returning({ id: plans.id });
  for (const { id } of expired) await notifyPlan(tx, actor, { id, status: "Expired" });
  return expired.length;
}

/**
 * Why a pending plan is outdated: a query that it involves has another active version or is archived, its actor was
 * archived, or a table that its SQL reads has changed. null if nothing has changed since it was proposed. A locked
 * query is no reason: that action fails, and the others run.
 */
export async function reasonToExpire(
  tx: Transaction,
  plan: StoredPlan,
  actor: Actor,
): Promise<string | null> {
  if (actor.status === "Archived") return "The actor was archived";
  const actions = await loadActions(eq(actorActions.planId, plan.id), tx);
  const owned = new Map((await listOwnedQueries([actor.id], tx)).map((query) => [query.id, query]));
  for (const { proposed, facts } of actions) {
    if (!("queryId" in proposed) || proposed.queryId === null) continue;
    // A query that was never the actor's own was shown as such, and its action fails when run.
    if (facts.queryName === undefined) continue;
    const query = owned.get(proposed.queryId);
    if (!query) return `The query ${facts.queryName} was archived`;
    if (facts.baseVersion !== undefined && query.activeVersion !== facts.baseVersion)
      return `The query ${facts.queryName} has a new active version`;
  }
  if (plan.schemaFingerprint === null) return null;
  const known = await findKnownSchema(tx, actor.dataSourceId);
  const statements = actions.flatMap(textsOf);
  return known && schemaFingerprint(known.items, statements) !== plan.schemaFingerprint
    ? "The data source's schema has changed"
    : null;
}

/** Expires outdated pending plans: of one actor, or of all on a data source. */
export async function expireStalePlans(of: { actorId: number } | { dataSourceId: number }): Promise<void> {
  const which = "actorId" in of ? eq(actors.id, of.actorId) : eq(actors.dataSourceId, of.dataSourceId);
  const found = await db
    .select({ id: plans.id })
    .from(plans)
    .innerJoin(actors, eq(actors.id, plans.actorId))
    .where(and(which, eq(plans.status, "PendingApproval")));
  for (const { id } of found) await expireIfStale(id);
}

/** Expires a plan if it is pending and outdated. */
export async function expireIfStale(id: number): Promise<void> {
  await db.transaction(async (tx) => {
    const locked = await lockPlan(tx, id);
    if (locked?.plan.status !== "PendingApproval") return;
    const reason = await reasonToExpire(tx, locked.plan, locked.actor);
    if (reason !== null) await expirePlan(tx, locked, reason);
  });
}

/** A plan and its actor, locked until the transaction ends: the actor first, as everywhere. */
export async function lockPlan(tx: Transaction, id: number) {
  const [found] = await tx.select({ actorId: plans.actorId }).from(plans).where(eq(plans.id, id));
  if (!found) return null;
  const actor = await lockActor(tx, found.actorId);
  const [plan] = await tx.select().from(plans).where(eq(plans.id, id)).for("no key update");
  return plan ? { actor, plan } : null;
}

async function expirePlan(
  tx: Transaction,
  { plan, actor }: { plan: StoredPlan; actor: Actor },
  reason: string,
): Promise<void> {
  await tx
    .update(plans)
    .set({ status: "Expired", expiredReason: reason })
    .where(and(eq(plans.id, plan.id), inArray(plans.status, ["PendingApproval"])));
  await withdrawPlans(tx, actor);
  await notifyPlan(tx, actor, { id: plan.id, status: "Expired" });
}
