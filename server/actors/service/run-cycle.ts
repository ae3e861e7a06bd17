import { setTimeout as delay } from "node:timers/promises";
import { eq, sql } from "drizzle-orm";
import { asProblem } from "../../data-sources/source-problem.ts";
import { db, type Transaction } from "../../db/client.ts";
import { problemIn } from "../../errors.ts";
import { type Lease, LeaseLost } from "../../jobs/leases.ts";
import { answerFeedback } from "../answer-feedback.ts";
import type { FeedbackAnswer } from "../feedback.ts";
import { limits } from "../limits.ts";
import type { Proposal } from "../proposal.ts";
import { actorStatusAfter } from "../states.ts";
import { actorActions, actorExecutions, actorMessages, actors } from "../tables.ts";
import { actingContext } from "./acting-context.ts";
import { askModel } from "./ask-model.ts";
import { type Begun, beginNext } from "./begin-cycle.ts";
import { gatherBriefing, tableKeysOf, takeWakes } from "./gather-briefing.ts";
import { executionLeases } from "./leases.ts";
import { lockActor, type StoredActor } from "./load-actors.ts";
import type { StoredExecution } from "./load-executions.ts";
import { endExecution, entered, enterPhase } from "./phase.ts";
import { proposePlan, storeActions } from "./propose-plan.ts";
import { readNote } from "./read-note.ts";
import { runActions } from "./run-actions.ts";
import { type ProvedAction, repairOf, withEvidence } from "./with-evidence.ts";

/**
 * One think cycle, start to finish: the briefing is gathered, a model is called, its proposals get their evidence and
 * become a plan that people decide on, or are done immediately if no approval is required.
 *
 * The model's response is stored before anything follows from it, so an interrupted cycle only repeats unanswered
 * calls. Any failure ends the cycle as Failed, and with it the actor. Returns the cycle that must follow because of
 * executions that finished meanwhile.
 */
export async function runCycle(lease: Lease): Promise<Begun | null> {
  const cycle = await load(lease);
  if (lease.attempt > limits.maxAttempts)
    return fail(lease, cycle, `The think cycle was interrupted ${limits.maxAttempts} times`);
  try {
    if (cycle.execution.phase === "Analyzing" || cycle.execution.phase === "Planning")
      await decide(lease, cycle);
    return await carryOut(lease, cycle);
  } catch (error) {
    const reason = reasonOf(error);
    // Anything else is a fault of the service: the cycle is released and retried.
    if (reason === null) throw error;
    return fail(lease, cycle, reason, error instanceof Error ? error.name : "");
  }
}

type Cycle = Awaited<ReturnType<typeof load>>;

/**
 * The actor was paused, archived, or has failed since the cycle began: the cycle ends, which is not a failure of the
 * actor.
 */
class NotWanted extends Error {
  override readonly name = "NotWanted";
}

/** The displayed reason for a failure; null for a fault of the service. */
function reasonOf(error: unknown): string | null {
  if (error instanceof Error && ["ModelFailure", "BudgetExhausted", "NotWanted"].includes(error.name))
    return error.message;
  return problemIn(asProblem(error))?.detail ?? null;
}

async function load(lease: Lease) {
  const [loaded] = await db
    .select({ execution: actorExecutions, actor: actors })
    .from(actorExecutions)
    .innerJoin(actors, eq(actors.id, actorExecutions.actorId))
    .where(executionLeases.isHeldBy(lease));
  if (!loaded) throw new LeaseLost("The think cycle was taken over before it was loaded");
  const { execution, actor } = loaded;
  const ctx = await actingContext(actor, execution.requestedById ?? actor.createdById);
  return { execution, actor, ctx };
}

/** From Analyzing to the proposals: stored as a plan, or as actions that this cycle runs. */
async function decide(lease: Lease, { execution, actor, ctx }: Cycle): Promise<void> {
  const isWanted = () => requireWanted(execution);
  await isWanted();
  if (isWoken(execution)) await delay(limits.settleMs);
  if (execution.trigger === "SubscriptionExecution") await takeWakes(actor.id, execution.id);
  const { briefing: gathered, bounds, schema } = await gatherBriefing(ctx, actor, execution);

  await enterPhase(lease, "Planning");
  const ids = { actorId: actor.id, executionId: execution.id };
  const { briefing, said } = await readNote({ ...ids, briefing: gathered, isWanted });
  const asked = { ...ids, briefing, isWanted };
  const first = await askModel({ ...asked, step: "propose" });
  const known = new Map();
  let proposal = first.proposal;
  let actions = await withEvidence(ctx, proposal, bounds, known);
  const repair = repairOf(proposal, actions);
  if (repair) {
    const second = await askModel({ ...asked, step: "repair", repair }).catch(ignoreBudget);
    if (second) {
      proposal = second.proposal;
      actions = await withEvidence(ctx, proposal, bounds, known);
    }
  }
  if (said !== null) proposal = { ...proposal, analysis: `${said}\n\n${proposal.analysis}` };
  await store(lease, execution, {
    ...{ proposal, actions, schema, wishes: briefing.occasion.wishes },
    feedbackAnswers: answerFeedback(proposal, briefing),
  });
}

/** Started by its subscriptions, not by a person. */
const isWoken = ({ trigger, requestedById }: StoredExecution) =>
  trigger === "SubscriptionExecution" && requestedById === null;

/** If the budget runs out before the repair, the proposal stays as it is, with its failures. */
function ignoreBudget(error: Error): null {
  if (error.name === "BudgetExhausted") return null;
  throw error;
}

async function store(
  lease: Lease,
  { id, actorId }: StoredExecution,
  decided: {
    proposal: Proposal;
    actions: ProvedAction[];
    schema: Parameters<typeof proposePlan>[2]["schema"];
    wishes: StoredExecution["wishes"];
    feedbackAnswers: FeedbackAnswer[];
  },
): Promise<void> {
  const { proposal, actions, wishes, feedbackAnswers } = decided;
  await db.transaction(async (tx) => {
    const actor = await lockActor(tx, actorId);
    const [execution] = await tx
      .select()
      .from(actorExecutions)
      .where(executionLeases.isHeldBy(lease))
      .for("update");
    if (!execution) throw new LeaseLost("The think cycle was taken over before it was stored");
    rejectUnwanted(actor, execution);
    await tx
      .update(actors)
      .set({ seenTables: tableKeysOf(decided.schema) })
      .where(eq(actors.id, actorId));
    const isProposed = actor.requiresApproval || execution.revisedPlanId !== null;
    await tx
      .update(actorExecutions)
      .set({
        decisionSummary: proposal.summary,
        detailedAnalysis: proposal.analysis,
        keyFindings: proposal.keyFindings,
        notificationIntent: proposal.notification,
        wishes,
        feedbackAnswers,
        ...entered(isProposed || actions.length === 0 ? "Notifying" : "Executing"),
      })
      .where(eq(actorExecutions.id, id));
    await tx
      .insert(actorMessages)
      .values({ actorId, role: "Actor", text: proposal.summary, executionId: id });
    // A revision always gets a plan; otherwise there is nothing to decide if nothing is proposed.
    if (isProposed && (actions.length > 0 || execution.revisedPlanId !== null))
      await proposePlan(tx, { actor, execution }, decided);
    else if (!isProposed) await storeActions(tx, { executionId: id }, actions);
  });
}

/** From Executing to the end. */
async function carryOut(lease: Lease, { execution, actor, ctx }: Cycle): Promise<Begun | null> {
  const phase = await phaseOf(lease);
  if (phase === "Executing") {
    await requireWanted(execution);
    await runActions({ actor, ctx, lease }, eq(actorActions.executionId, execution.id));
    await enterPhase(lease, "Notifying");
  }
  return db.transaction(async (tx) => {
    const held = await lockActor(tx, actor.id);
    await endExecution(tx, lease, "Completed");
    const isSetUp = execution.trigger === "InitialSetup" && execution.revisedPlanId === null;
    const status = isSetUp && held.status === "Draft" ? actorStatusAfter(held.status, "setUp") : null;
    await countThought(tx, actor.id, { ...(isSetUp && { setUpAt: new Date() }), ...(status && { status }) });
    return beginNext(tx, { ...held, ...(status && { status }) });
  });
}

async function fail(
  lease: Lease,
  { execution, actor }: Cycle,
  error: string,
  kind = "",
): Promise<Begun | null> {
  return db.transaction(async (tx) => {
    const held = await lockActor(tx, actor.id);
    await endExecution(tx, lease, "Failed", { error });
    // Next month it may think again; an actor that was never set up must be resumed.
    const isItsFault =
      kind === "BudgetExhausted" ? execution.trigger === "InitialSetup" : kind !== "NotWanted";
    const status = isItsFault ? actorStatusAfter(held.status, "fail") : null;
    await countThought(tx, actor.id, status ? { status, lastError: error } : {});
    return beginNext(tx, { ...held, ...(status && { status }) });
  });
}

async function countThought(
  tx: Transaction,
  actorId: number,
  also: Partial<typeof actors.$inferInsert>,
): Promise<void> {
  await tx
    .update(actors)
    .set({ thinkCount: sql`${actors.thinkCount} + 1`, lastThinkAt: sql`clock_timestamp()`, ...also })
    .where(eq(actors.id, actorId));
}

async function phaseOf(lease: Lease) {
  const [held] = await db
    .select({ phase: actorExecutions.phase })
    .from(actorExecutions)
    .where(executionLeases.isHeldBy(lease));
  if (!held) throw new LeaseLost("The think cycle was taken over");
  return held.phase;
}

async function requireWanted(execution: StoredExecution): Promise<void> {
  const [actor] = await db.select().from(actors).where(eq(actors.id, execution.actorId));
  if (actor) rejectUnwanted(actor, execution);
}

/** An actor that is not Active does not think, except for its setup as a Draft and for revisions by people. */
function rejectUnwanted({ status }: StoredActor, { trigger, revisedPlanId }: StoredExecution): void {
  const isWanted =
    status === "Active" ||
    (status === "Draft" && trigger === "InitialSetup") ||
    (status !== "Archived" && revisedPlanId !== null);
  if (!isWanted) throw new NotWanted(status === "Paused" ? "The actor was paused" : `The actor is ${status}`);
}
