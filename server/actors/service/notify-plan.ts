import { findUserIdsWith } from "../../auth/service/people.ts";
import type { Transaction } from "../../db/client.ts";
import { sendInProject } from "../../realtime/service.ts";
import type { PlanStatus } from "../states.ts";

/**
 * Notifies the pages of those whom a plan concerns that it has changed: whoever created the actor, the project's Admins, and
 * those who requested or decided it. Call it last in a transaction.
 */
export async function notifyPlan(
  tx: Transaction,
  actor: { id: number; projectId: number; createdById: number },
  plan: { id: number; status: PlanStatus },
  people: readonly (number | null)[] = [],
): Promise<void> {
  const admins = await findUserIdsWith(tx, "projects:manage", actor.projectId);
  const concerned = [actor.createdById, ...people, ...admins].filter((id) => id !== null);
  await sendInProject(tx, actor.projectId, concerned, {
    name: "PlanUpdated",
    data: { planId: plan.id, actorId: actor.id, status: plan.status },
  });
}
