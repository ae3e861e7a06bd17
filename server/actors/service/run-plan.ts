import { and, eq } from "drizzle-orm";
import { db, type Transaction } from "../../db/client.ts";
import { isDatabaseAway } from "../../db/is-away.ts";
import { type Lease, LeaseLost } from "../../jobs/leases.ts";
import { log } from "../../telemetry/log.ts";
import { plural } from "../../text.ts";
import { limits } from "../limits.ts";
import { planStatusAfter } from "../states.ts";
import { actorActions, actorExecutions, actorMessages, actors, plans } from "../tables.ts";
import { actingContext } from "./acting-context.ts";
import { executionLeases } from "./leases.ts";
import { notifyPlan } from "./notify-plan.ts";
import { endExecution } from "./phase.ts";
import { runActions } from "./run-actions.ts";

/**
 * Runs a plan that people approved: exactly the actions that they saw, one by one, each with its result. When all are
 * done the plan is Executed, whatever their outcomes; an unexpected error ends it as Rejected. If the database is
 * briefly away, nothing ends: the run is released, and continues after the last action that was done.
 */
export async function runPlan(lease: Lease): Promise<void> {
  const loaded = await load(lease);
  const { plan, actor } = loaded;
  if (lease.attempt > limits.maxAttempts)
    return fail(lease, loaded, `The execution was interrupted ${limits.maxAttempts} times`);
  const ctx = await actingContext(actor, plan.reviewerId ?? actor.createdById);
  try {
    const outcome = await runActions({ actor, ctx, lease }, eq(actorActions.planId, plan.id));
    await finish(lease, loaded, outcome);
  } catch (err) {
    // Completed actions are marked; the rest run when the database is back.
    if (err instanceof LeaseLost || isDatabaseAway(err)) throw err;
    log.error({ err, planId: plan.id }, "An action of a plan failed with an error");
    await fail(lease, loaded, "An action ended in an unexpected error; the service's log says more");
  }
}

type Loaded = Awaited<ReturnType<typeof load>>;

async function load(lease: Lease) {
  const [loaded] = await db
    .select({ plan: plans, actor: actors, execution: actorExecutions })
    .from(actorExecutions)
    .innerJoin(plans, eq(plans.id, actorExecutions.runPlanId))
    .innerJoin(actors, eq(actors.id, actorExecutions.actorId))
    .where(executionLeases.isHeldBy(lease));
  if (!loaded) throw new LeaseLost("The execution was taken over before it was loaded");
  return loaded;
}

async function finish(
  lease: Lease,
  { plan, actor }: Loaded,
  { succeeded, total }: { succeeded: number; total: number },
): Promise<void> {
  const summary = `${succeeded} of ${plural(total, "action")} succeeded`;
  await db.transaction(async (tx) => {
    await endExecution(tx, lease, "Completed", { decisionSummary: summary });
    await move(tx, plan, "finish");
    await tx.insert(actorMessages).values({
      actorId: actor.id,
      role: "Actor",
      text: `Plan ${plan.id} was executed: ${summary}.`,
      executionId: lease.id,
    });
    await notifyPlan(tx, actor, { id: plan.id, status: "Executed" }, [plan.reviewerId]);
  });
}

async function fail(lease: Lease, { plan, actor }: Loaded, error: string): Promise<void> {
  await db.transaction(async (tx) => {
    await endExecution(tx, lease, "Failed", { error });
    await move(tx, plan, "fail");
    await notifyPlan(tx, actor, { id: plan.id, status: "Rejected" }, [plan.reviewerId]);
  });
}

async function move(tx: Transaction, { id }: { id: number }, event: "finish" | "fail"): Promise<void> {
  const status = planStatusAfter("Executing", event);
  if (status)
    await tx
      .update(plans)
      .set({ status })
      .where(and(eq(plans.id, id), eq(plans.status, "Executing")));
}
