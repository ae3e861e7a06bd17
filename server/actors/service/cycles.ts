import { and, asc, eq, lt } from "drizzle-orm";
import type { SignedIn } from "../../auth/principal.ts";
import { recorded } from "../../auth/recorded.ts";
import { afterCommit } from "../../db/ambient.ts";
import { db, type Transaction } from "../../db/client.ts";
import { Problem } from "../../errors.ts";
import { defineLeasedWork } from "../../jobs/leased-work.ts";
import type { Lease } from "../../jobs/leases.ts";
import { limits } from "../limits.ts";
import { actorExecutions, actorMessages, actorWakes } from "../tables.ts";
import type { Wishes } from "../wishes.ts";
import { type Begun, beginCycle, budgetReason, findOpenCycle, isOpenCycleOf } from "./begin-cycle.ts";
import { executionLeases } from "./leases.ts";
import { getActorRow, lockActor, type StoredActor } from "./load-actors.ts";
import { getActorExecution } from "./load-executions.ts";
import { requireTables } from "./require-tables.ts";
import { runCycle } from "./run-cycle.ts";
import { runPlan } from "./run-plan.ts";

/**
 * When an actor thinks, and what runs its plans. Each think cycle and each plan run is a row that is worked on under a
 * lease, in the background until it is finished, even if workers die. The cycles of one actor run one after another.
 */
const work = defineLeasedWork({ name: "actorExecution", leases: executionLeases, times: limits, run });

async function run(lease: Lease): Promise<void> {
  const [execution] = await db
    .select({ kind: actorExecutions.kind, actorId: actorExecutions.actorId })
    .from(actorExecutions)
    .where(eq(actorExecutions.id, lease.id));
  if (execution?.kind === "PlanRun") return runPlan(lease);
  await waitForEarlier(execution?.actorId ?? 0, lease.id);
  const next = await runCycle(lease);
  if (next) workOn(next);
}

/** A cycle builds on what the previous one has done. */
async function waitForEarlier(actorId: number, id: number): Promise<void> {
  for (;;) {
    const [earlier] = await db
      .select({ id: actorExecutions.id })
      .from(actorExecutions)
      .where(and(isOpenCycleOf(actorId), lt(actorExecutions.id, id)))
      .orderBy(asc(actorExecutions.id))
      .limit(1);
    if (!earlier) return;
    await work.waitFor(earlier.id);
  }
}

/** Works on an execution in the background, once the transaction that began it is committed. */
export function workOn({ id, token }: Begun): void {
  afterCommit(() => void work.begin({ id, token, attempt: 1 }));
}

/** Finishes what dead processes have left open. Returns how many executions it took over. */
export const recoverActorExecutions = () => work.recover();

/** Waits until an execution is finished, whoever works on it. */
export const waitForExecution = (id: number) => work.waitFor(id);

/**
 * Makes an actor think now, and returns as soon as the cycle has begun; joins a cycle in progress. Throws not_found,
 * and conflict unless the actor is Active and its budget allows it.
 */
export async function startThinking(ctx: SignedIn, actorId: number): Promise<{ executionId: number }> {
  await getActorRow(ctx, actorId);
  const begin = async (tx: Transaction) => {
    const actor = await lockActor(tx, actorId);
    await requireReady(actor);
    const open = await findOpenCycle(tx, actorId);
    if (open !== null) return { id: open, token: null };
    return beginCycle(tx, actor, {
      trigger: "SubscriptionExecution",
      requestedById: ctx.principal.userId,
    });
  };
  const begun = await recorded(ctx, () => db.transaction(begin));
  if (begun.token !== null) workOn({ id: begun.id, token: begun.token });
  return { executionId: begun.id };
}

/** The same, but waits for the result. */
export async function thinkNow(ctx: SignedIn, actorId: number) {
  const { executionId } = await startThinking(ctx, actorId);
  await work.waitFor(executionId);
  return getActorExecution(ctx, executionId);
}

type Refinement = { id: number; feedback: string; wishes?: Wishes | null | undefined };

/**
 * Sends an actor a message, with choices of what to check for this request. The message is added to the conversation
 * and leads to a plan, or to actions if no approval is required. Throws like `startThinking`, and invalid for unknown
 * tables.
 */
export async function startRefining(
  ctx: SignedIn,
  { id, feedback, wishes = null }: Refinement,
): Promise<{ executionId: number }> {
  const { dataSourceId } = await getActorRow(ctx, id);
  if (wishes) await requireTables(ctx, dataSourceId, wishes);
  const { userId } = ctx.principal;
  const begin = async (tx: Transaction) => {
    const actor = await lockActor(tx, id);
    await requireReady(actor);
    const cycle = await beginCycle(tx, actor, {
      trigger: "UserInstruction",
      requestedById: userId,
      userInstruction: feedback,
      wishes,
    });
    await tx
      .insert(actorMessages)
      .values({ actorId: id, role: "Person", userId, text: feedback, executionId: cycle.id });
    return cycle;
  };
  const begun = await recorded(ctx, () => db.transaction(begin));
  workOn(begun);
  return { executionId: begun.id };
}

/** The same, but waits for the result. */
export async function refineNow(ctx: SignedIn, input: Refinement) {
  const { executionId } = await startRefining(ctx, input);
  await work.waitFor(executionId);
  return getActorExecution(ctx, executionId);
}

/**
 * Call when an execution of one of its subscriptions has finished: an Active actor thinks about it, in one cycle with
 * others that finish at the same time or while it thinks. Idempotent per execution.
 */
export async function wakeActor(actorId: number, executionId: number): Promise<void> {
  const begun = await db.transaction(async (tx) => {
    const actor = await lockActor(tx, actorId).catch(() => null);
    if (actor?.status !== "Active" || (await budgetReason(actor)) !== null) return null;
    const woken = await tx
      .insert(actorWakes)
      .values({ actorId, executionId })
      .onConflictDoNothing()
      .returning({ executionId: actorWakes.executionId });
    if (woken.length === 0 || (await findOpenCycle(tx, actorId)) !== null) return null;
    return beginCycle(tx, actor, { trigger: "SubscriptionExecution" });
  });
  if (begun) workOn(begun);
}

async function requireReady(actor: StoredActor): Promise<void> {
  if (actor.status !== "Active") throw new Problem("conflict", "Actor is not active");
  const reason = await budgetReason(actor);
  if (reason !== null) throw new Problem("conflict", reason);
}
