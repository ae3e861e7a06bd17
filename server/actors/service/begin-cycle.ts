import { and, asc, eq, isNull } from "drizzle-orm";
import type { Transaction } from "../../db/client.ts";
import { modelInUse } from "../models/model-in-use.ts";
import type { Trigger } from "../states.ts";
import { actorExecutions, actorWakes } from "../tables.ts";
import type { RequestWishes } from "../wishes.ts";
import { exhaustedBudget, usedThisMonth } from "./budget.ts";
import { executionLeases, isOpen } from "./leases.ts";
import type { StoredActor } from "./load-actors.ts";

/** An execution that has begun, with the token of its lease. */
export type Begun = { id: number; token: string };

/** The unfinished think cycles of an actor. */
export const isOpenCycleOf = (actorId: number) =>
  and(eq(actorExecutions.actorId, actorId), eq(actorExecutions.kind, "ThinkCycle"), isOpen);

type Cycle = {
  trigger: Trigger;
  requestedById?: number | null;
  userInstruction?: string | null;
  wishes?: RequestWishes | null;
  revisedPlanId?: number | null;
};

/** Begins a think cycle of an actor whose row the caller has locked. */
export async function beginCycle(tx: Transaction, actor: { id: number }, cycle: Cycle): Promise<Begun> {
  const first = executionLeases.first();
  const [begun] = await tx
    .insert(actorExecutions)
    .values({
      actorId: actor.id,
      kind: "ThinkCycle",
      phase: "Analyzing",
      phaseTimes: [{ phase: "Analyzing", at: new Date().toISOString() }],
      ...cycle,
      ...first,
    })
    .returning({ id: actorExecutions.id });
  if (!begun) throw new Error("The insert returned no execution");
  return { id: begun.id, token: first.leaseToken };
}

export async function hasOpenSetUp(tx: Transaction, actorId: number): Promise<boolean> {
  const which = and(isOpenCycleOf(actorId), eq(actorExecutions.trigger, "InitialSetup"));
  return (await tx.$count(actorExecutions, which)) > 0;
}

/**
 * Begins the next cycle if there are finished executions that none has thought about, in the transaction that ends the
 * last one.
 */
export async function beginNext(tx: Transaction, actor: StoredActor): Promise<Begun | null> {
  if (actor.status !== "Active") return null;
  const waiting = await tx.$count(
    actorWakes,
    and(eq(actorWakes.actorId, actor.id), isNull(actorWakes.cycleId)),
  );
  if (waiting === 0 || (await budgetReason(actor)) !== null) return null;
  if ((await findOpenCycle(tx, actor.id)) !== null) return null;
  return beginCycle(tx, actor, { trigger: "SubscriptionExecution" });
}

/** The actor's current cycle; if several are waiting, the first. */
export async function findOpenCycle(tx: Transaction, actorId: number): Promise<number | null> {
  const [open] = await tx
    .select({ id: actorExecutions.id })
    .from(actorExecutions)
    .where(isOpenCycleOf(actorId))
    .orderBy(asc(actorExecutions.id))
    .limit(1);
  return open?.id ?? null;
}

/** Why the actor's budget prevents it from thinking this month; null if it does not. */
export async function budgetReason(actor: StoredActor): Promise<string | null> {
  const { isBuiltIn, price } = modelInUse();
  if (isBuiltIn || (actor.budgetTokens === null && actor.budgetCost === null)) return null;
  const used = (await usedThisMonth([actor.id])).get(actor.id) ?? { tokens: 0, cost: 0 };
  return exhaustedBudget(actor, used, price !== null);
}
