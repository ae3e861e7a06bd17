import { eq } from "drizzle-orm";
import type { SignedIn } from "../../auth/principal.ts";
import { findUserIdsWith } from "../../auth/service/people.ts";
import type { Transaction } from "../../db/client.ts";
import { isMailConfigured } from "../../notifications/mail-configured.ts";
import { enqueueNotification } from "../../notifications/service/enqueue.ts";
import { withdrawNotifications } from "../../notifications/service/withdraw.ts";
import {
  decidedPlanNotification,
  type PlanDecision,
  planNotification,
  waitsKey,
} from "../plan-notification.ts";
import { type actorActions, actorExecutions, plans } from "../tables.ts";

type OfActor = { id: number; name: string; projectId: number; createdById: number };

/**
 * Tells those who may decide that a plan waits for them. People not again when it has replaced one that waited: they have
 * been told, and the link leads to the actor, where the plan is that waits now. Recipients for decisions get each plan,
 * because their buttons are for one.
 */
export async function tellPlanDeciders(
  tx: Transaction,
  actor: OfActor,
  plan: {
    id: number;
    cycleId: number | null;
    isReplacing: boolean;
    analysis: string;
    actions: readonly Pick<typeof actorActions.$inferSelect, "proposed" | "facts">[];
  },
): Promise<void> {
  await enqueueNotification(tx, {
    ...planNotification(actor, plan),
    userIds:
      isMailConfigured() && !plan.isReplacing
        ? await findUserIdsWith(tx, "plans:decide", actor.projectId)
        : [],
    ownerIds: await authorsOf(tx, actor, plan),
  });
}

/** No plan of the actor waits anymore. */
export async function withdrawPlans(tx: Transaction, actor: { id: number }): Promise<void> {
  const rows = await tx.select({ id: plans.id }).from(plans).where(eq(plans.actorId, actor.id));
  await withdrawNotifications(tx, { kind: "Plan", ids: rows.map(({ id }) => id) }, waitsKey);
}

/** Tells who created the actor, and who asked for the plan, how someone else has decided, and why. */
export async function tellPlanAuthors(
  tx: Transaction,
  { principal }: SignedIn,
  actor: OfActor,
  plan: { id: number; cycleId: number | null },
  decision: PlanDecision,
): Promise<void> {
  if (!isMailConfigured()) return;
  const people = await authorsOf(tx, actor, plan);
  await enqueueNotification(tx, {
    ...decidedPlanNotification(principal, actor, plan, decision),
    userIds: people.filter((id) => id !== principal.userId),
  });
}

/** Who created the actor, and who asked for the plan. */
async function authorsOf(
  tx: Transaction,
  actor: OfActor,
  { cycleId }: { cycleId: number | null },
): Promise<number[]> {
  const asked =
    cycleId === null
      ? []
      : await tx
          .select({ by: actorExecutions.requestedById })
          .from(actorExecutions)
          .where(eq(actorExecutions.id, cycleId));
  return [...new Set([actor.createdById, ...asked.flatMap(({ by }) => by ?? [])])];
}
