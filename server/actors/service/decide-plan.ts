import { and, eq, inArray } from "drizzle-orm";
import type { SignedIn } from "../../auth/principal.ts";
import { recorded } from "../../auth/recorded.ts";
import { findKnownSchema } from "../../data-sources/service/known-tables.ts";
import { refreshSchema } from "../../data-sources/service/read-schema.ts";
import { db, type Transaction } from "../../db/client.ts";
import { type FieldError, invalidRequest, Problem, problemIn } from "../../errors.ts";
import { listOwnedQueries } from "../../queries/service/owned-queries.ts";
import { listOwnedSubscriptions } from "../../subscriptions/service/owned-subscriptions.ts";
import { plural } from "../../text.ts";
import { needOf } from "../action-dependencies.ts";
import { type Bounds, checkActions } from "../check-actions.ts";
import { limits } from "../limits.ts";
import type { PlanApproval } from "../schema.ts";
import { planStatusAfter } from "../states.ts";
import { actorActions, actorExecutions, actorMessages, plans } from "../tables.ts";
import type { RequestWishes } from "../wishes.ts";
import { type Begun, beginCycle, budgetReason } from "./begin-cycle.ts";
import { workOn } from "./cycles.ts";
import { expireIfStale, lockPlan, reasonToExpire } from "./expire-plans.ts";
import { executionLeases } from "./leases.ts";
import { recipientIdsOf, type StoredActor } from "./load-actors.ts";
import { getPlan, getPlanRow, loadActions, type StoredAction, type StoredPlan } from "./load-plans.ts";
import { notifyPlan } from "./notify-plan.ts";
import { requireTables } from "./require-tables.ts";
import { tellPlanAuthors, withdrawPlans } from "./tell-about-plan.ts";

const notPending = () => new Problem("conflict", "Plan is not pending approval");

/**
 * Approves a plan, or some of its actions, which are then run in the background, exactly as shown; the others are
 * declined, with the reason. Throws not_found; invalid for actions that are not the plan's, or that need one which is
 * left out; and conflict if the plan is not, or no longer, pending: one of several concurrent decisions wins, and a plan
 * that is outdated expires instead.
 */
export async function approvePlan(
  ctx: SignedIn,
  { id, comment, actions: chosen, declineReason }: PlanApproval,
) {
  await refreshSchemaIfOld(ctx, id);
  const bounds = chosen ? await boundsOf((await getPlanRow(ctx, id)).actor) : null;
  return decide(ctx, id, comment?.trim() || null, "approve", async (tx, { plan, actor }) => {
    if (chosen && bounds) {
      const reason = declineReason?.trim() || null;
      await declineOthers(tx, ctx, { plan, actor }, { chosen, reason, bounds });
    }
    const first = executionLeases.first();
    const [begun] = await tx
      .insert(actorExecutions)
      .values({
        actorId: actor.id,
        kind: "PlanRun",
        trigger: plan.trigger,
        phase: "Executing",
        phaseTimes: [{ phase: "Executing", at: new Date().toISOString() }],
        userInstruction: plan.userInstruction,
        runPlanId: plan.id,
        requestedById: ctx.principal.userId,
        detailedAnalysis: plan.analysis,
        keyFindings: plan.keyFindings,
        model: plan.model,
        estimatedCost: 0,
        ...first,
      })
      .returning({ id: actorExecutions.id });
    if (!begun) throw new Error("The insert returned no execution");
    return { id: begun.id, token: first.leaseToken };
  });
}

/**
 * Declines the actions that are not among the chosen ones, and tells the actor why. What remains is checked as it would
 * be if the plan proposed nothing else, by the rules of every proposal.
 */
async function declineOthers(
  tx: Transaction,
  ctx: SignedIn,
  { plan, actor }: Locked,
  { chosen, reason, bounds }: { chosen: readonly number[]; reason: string | null; bounds: Bounds },
): Promise<void> {
  const actions = await loadActions(eq(actorActions.planId, plan.id), tx);
  const taken = new Set(chosen);
  const left = actions.filter(({ index }) => !taken.has(index));
  rejectIfAny(
    chosen.flatMap((index, at) => {
      const path = `actions.${at}`;
      const action = actions.find((each) => each.index === index);
      if (!action) return { path, message: "is not an action of this plan" };
      const need = needOf(actions.map(linked), linked(action));
      return need === null || taken.has(need)
        ? []
        : { path, message: `needs action ${need}, ${actionName(actions, need)}, which is left out` };
    }),
  );
  if (left.length === 0) return;
  if (reason === null)
    rejectIfAny([{ path: "declineReason", message: "is required if actions are left out" }]);
  const errorsOf = (some: readonly StoredAction[]) =>
    checkActions(
      some.map(({ proposed }) => proposed),
      bounds,
    ).map(({ errors }) => errors);
  const kept = actions.filter(({ index }) => taken.has(index));
  const [withAll, alone] = [errorsOf(actions), errorsOf(kept)];
  rejectIfAny(
    kept.flatMap(({ index }, at) => {
      const before = withAll[actions.findIndex((each) => each.index === index)] ?? [];
      const added = (alone[at] ?? []).filter((error) => !before.includes(error));
      return added.map((error) => ({
        path: `actions.${chosen.indexOf(index)}`,
        message: `cannot run without what is left out: ${error}`,
      }));
    }),
  );
  await tx
    .update(actorActions)
    .set({ status: "Declined", error: reason, finishedAt: new Date() })
    .where(
      and(
        eq(actorActions.planId, plan.id),
        inArray(
          actorActions.id,
          left.map(({ id }) => id),
        ),
      ),
    );
  const names = left.map(({ index }) => actionName(actions, index)).join(", ");
  const text = `Approved ${kept.length} of ${plural(actions.length, "action")}. Declined ${names}: ${reason}`;
  const { userId } = ctx.principal;
  await tx.insert(actorMessages).values({ actorId: actor.id, role: "Person", userId, text });
}

function rejectIfAny(errors: FieldError[]): void {
  if (errors.length > 0) throw invalidRequest(errors);
}

const linked = ({ index, proposed }: StoredAction) => ({ ...proposed, index });

/** As people see it: "create query “Late orders”". */
function actionName(actions: readonly StoredAction[], index: number): string {
  const action = actions.find((each) => each.index === index);
  if (!action) return `action ${index}`;
  const { proposed, facts } = action;
  switch (proposed.kind) {
    case "CreateQuery":
      return `create query “${proposed.name.trim()}”`;
    case "CreateSubscription":
      return `subscribe to “${proposed.queryName?.trim() ?? facts.queryName ?? ""}”`;
    case "RefineQuery":
      return `refine query “${facts.queryName ?? ""}”`;
    case "ArchiveQuery":
      return `archive query “${facts.queryName ?? ""}”`;
    case "ArchiveSubscription":
      return `archive the subscription to “${facts.queryName ?? ""}”`;
    case "SendNotification":
      return `send “${proposed.subject}”`;
    case "CreateContract":
      return `create contract “${proposed.name}”`;
    case "AddRules":
      return `add rules to contract “${facts.contractName ?? ""}”`;
  }
}

/** What the actor has and may do now; each action is checked again when it runs. */
async function boundsOf(actor: StoredActor): Promise<Bounds> {
  return {
    maxQueries: actor.maxQueries,
    maxSubscriptionsPerQuery: actor.maxSubscriptionsPerQuery,
    hasRecipients: (await recipientIdsOf(actor.id)).length > 0,
    dataSourceId: actor.dataSourceId,
    queries: await listOwnedQueries([actor.id]),
    subscriptions: await listOwnedSubscriptions(actor.id),
  };
}

/** Rejects a plan: none of its actions run. Throws like `approvePlan`. */
export async function rejectPlan(ctx: SignedIn, { id, reason }: { id: number; reason: string }) {
  return decide(ctx, id, reason, "reject", async () => null);
}

/**
 * Sends a plan back: its next version is made in the background, with the feedback. Throws like `approvePlan`, conflict
 * if the actor's budget is used up, and invalid for unknown tables and actions.
 */
export async function requestRevision(
  ctx: SignedIn,
  {
    id,
    feedback,
    wishes = null,
  }: { id: number; feedback: string; wishes?: RequestWishes | null | undefined },
) {
  if (wishes) await requireWishes(ctx, id, wishes);
  return decide(ctx, id, feedback, "requestRevision", async (tx, { plan, actor }) => {
    const reason = await budgetReason(actor);
    if (reason !== null) throw new Problem("conflict", reason);
    const { userId } = ctx.principal;
    const cycle = await beginCycle(tx, actor, {
      trigger: plan.trigger,
      requestedById: userId,
      userInstruction: feedback,
      revisedPlanId: plan.id,
      wishes,
    });
    await tx
      .insert(actorMessages)
      .values({ actorId: actor.id, role: "Person", userId, text: feedback, executionId: cycle.id });
    return cycle;
  });
}

async function requireWishes(ctx: SignedIn, id: number, wishes: RequestWishes): Promise<void> {
  const { actor } = await getPlanRow(ctx, id);
  const actions = await db.$count(actorActions, eq(actorActions.planId, id));
  const unknown = (wishes.leaveOut ?? []).flatMap((index, at) =>
    index < actions ? [] : [{ path: `wishes.leaveOut.${at}`, message: "is not an action of this plan" }],
  );
  if (unknown.length > 0) throw invalidRequest(unknown);
  await requireTables(ctx, actor.dataSourceId, wishes);
}

type Locked = { plan: StoredPlan; actor: StoredActor };

async function decide(
  ctx: SignedIn,
  id: number,
  decisionReason: string | null,
  event: "approve" | "reject" | "requestRevision",
  begin: (tx: Transaction, locked: Locked) => Promise<Begun | null>,
) {
  await getPlanRow(ctx, id);
  const write = async (tx: Transaction) => {
    const locked = await lockPlan(tx, id);
    if (!locked) throw notPending();
    const { plan, actor } = locked;
    const status = planStatusAfter(plan.status, event);
    if (status === null) throw notPending();
    if ((await reasonToExpire(tx, plan, actor)) !== null) throw new PlanIsStale();
    const decided = await tx
      .update(plans)
      .set({ status, reviewerId: ctx.principal.userId, decidedAt: new Date(), decisionReason })
      .where(and(eq(plans.id, id), eq(plans.status, plan.status)))
      .returning({ id: plans.id });
    if (decided.length === 0) throw notPending();
    const begun = await begin(tx, locked);
    await withdrawPlans(tx, actor);
    await tellPlanAuthors(tx, ctx, actor, plan, { event, reason: decisionReason });
    await notifyPlan(tx, actor, { id, status }, [ctx.principal.userId]);
    if (begun) workOn(begun);
  };
  try {
    return await recorded(ctx, async () => {
      await db.transaction(write);
      return getPlan(ctx, id);
    });
  } catch (error) {
    if (!(error instanceof PlanIsStale)) throw error;
    // The decision is rejected, but the expiry is kept.
    await expireIfStale(id);
    throw notPending();
  }
}

class PlanIsStale extends Error {}

/** So that a decision is based on the current tables; if they cannot be read, on what is known. */
async function refreshSchemaIfOld(ctx: SignedIn, id: number): Promise<void> {
  const { plan, actor } = await getPlanRow(ctx, id);
  if (plan.status !== "PendingApproval" || plan.schemaFingerprint === null) return;
  const known = await findKnownSchema(db, actor.dataSourceId);
  if (known && Date.now() - known.readAt.getTime() < limits.schemaAgeMs) return;
  await refreshSchema(ctx, actor.dataSourceId).catch((error) => {
    if (!problemIn(error)) throw error;
  });
}
