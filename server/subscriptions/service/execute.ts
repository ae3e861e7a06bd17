import { and, eq, isNull, sql } from "drizzle-orm";
import type { SignedIn } from "../../auth/principal.ts";
import { recorded } from "../../auth/recorded.ts";
import { afterCommit } from "../../db/ambient.ts";
import { db } from "../../db/client.ts";
import { problemIn } from "../../errors.ts";
import { defineLeasedWork } from "../../jobs/leased-work.ts";
import { getVersionToRun } from "../../queries/service/first-runs.ts";
import { limits } from "../limits.ts";
import { executions, subscriptions } from "../tables.ts";
import { type Begun, beginDue } from "./begin-executions.ts";
import { countExecutions } from "./counters.ts";
import { getExecution } from "./executions.ts";
import { executionLeases } from "./leases.ts";
import { getSubscriptionRow, subscriptionNotFound } from "./load-subscriptions.ts";
import { runExecution } from "./run-execution.ts";

const work = defineLeasedWork<Begun>({
  name: "execution",
  leases: executionLeases,
  times: limits,
  run: runExecution,
});

type Occasion =
  | { trigger: "Manual"; requestedById: number }
  | { trigger: "Scheduled"; scheduledFor: Date; executedAt?: Date };

/**
 * Runs a subscription now, ignoring its schedule, and returns once the run has begun. Throws conflict while the first
 * run of its query waits for approval.
 */
export async function startExecution(ctx: SignedIn, subscriptionId: number) {
  await getSubscriptionRow(ctx, subscriptionId);
  return recorded(ctx, async () => {
    const executionId = await beginExecution(subscriptionId, {
      ...{ trigger: "Manual", requestedById: ctx.principal.userId },
    });
    if (executionId === null) throw new Error("A manual execution is always allowed to start");
    return { executionId };
  });
}

/** The same, but waits for the outcome. */
export async function executeNow(ctx: SignedIn, subscriptionId: number) {
  const { executionId } = await startExecution(ctx, subscriptionId);
  await work.waitFor(executionId);
  return getExecution(ctx, executionId);
}

/**
 * Executes a subscription that is due, once per scheduled time, however often it is called. Skipped if the subscription
 * was disabled or archived in the meantime, or if its query waits for approval.
 */
export async function executeDueSubscription(
  subscriptionId: number,
  scheduledFor: Date,
): Promise<{ executionId: number } | { skipped: string }> {
  const lease = await beginDue({ subscriptionId, scheduledFor });
  if (lease) {
    void work.begin(lease);
    await work.waitFor(lease.id);
    return { executionId: lease.id };
  }
  const begun = await findScheduled(subscriptionId, scheduledFor);
  if (begun === null) {
    const [subscription] = await db
      .select({ enabled: subscriptions.enabled, archivedAt: subscriptions.archivedAt })
      .from(subscriptions)
      .where(eq(subscriptions.id, subscriptionId));
    if (!subscription || subscription.archivedAt !== null) return { skipped: "The subscription is archived" };
    if (!subscription.enabled) return { skipped: "The subscription is disabled" };
  }
  try {
    const executionId =
      begun ??
      (await beginExecution(subscriptionId, { trigger: "Scheduled", scheduledFor })) ??
      (await findScheduled(subscriptionId, scheduledFor));
    if (executionId === null) return { skipped: "The subscription is archived" };
    await work.waitFor(executionId);
    return { executionId };
  } catch (error) {
    const problem = problemIn(error);
    if (problem?.code === "conflict") return { skipped: problem.detail };
    throw error;
  }
}

/**
 * Backfills an execution for a time in the past, as if it had run then; the caller provides the data of that time.
 * Works on disabled subscriptions too. Skips times that already have an execution.
 */
export async function replayExecution(subscriptionId: number, at: Date): Promise<void> {
  const executionId = await beginExecution(subscriptionId, {
    ...{ trigger: "Scheduled", scheduledFor: at, executedAt: at },
  });
  if (executionId !== null) await work.waitFor(executionId);
}

/** Finishes executions that dead processes left in Created. Returns how many it took over. */
export const recoverAbandonedExecutions = () => work.recover();

/**
 * Begins an execution and continues it in the background. null if the scheduled time already has one. Throws not_found
 * for an archived subscription, and conflict while the first run of its query waits for approval.
 */
async function beginExecution(subscriptionId: number, occasion: Occasion): Promise<number | null> {
  const first = executionLeases.first();
  const id = await db.transaction(async (tx) => {
    const [subscription] = await tx
      .select({ queryId: subscriptions.queryId })
      .from(subscriptions)
      .where(and(eq(subscriptions.id, subscriptionId), isNull(subscriptions.archivedAt)))
      .for("share");
    if (!subscription) throw subscriptionNotFound();
    const queryVersion = await getVersionToRun(tx, subscription.queryId);
    const [begun] = await tx
      .insert(executions)
      .values({ subscriptionId, queryVersion, executedAt: sql`clock_timestamp()`, ...occasion, ...first })
      .onConflictDoNothing()
      .returning();
    if (!begun) return null;
    await countExecutions(tx, [begun]);
    return begun.id;
  });
  if (id !== null) afterCommit(() => void work.begin({ id, token: first.leaseToken, attempt: 1 }));
  return id;
}

async function findScheduled(subscriptionId: number, scheduledFor: Date): Promise<number | null> {
  const [scheduled] = await db
    .select({ id: executions.id })
    .from(executions)
    .where(and(eq(executions.subscriptionId, subscriptionId), eq(executions.scheduledFor, scheduledFor)));
  return scheduled?.id ?? null;
}
