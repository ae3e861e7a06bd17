import { findAdminIds } from "../../auth/service/users.ts";
import type { Transaction } from "../../db/client.ts";
import { sendToUsers } from "../../realtime/service.ts";
import type { PlanStatus } from "../states.ts";

/**
 * Notifies the pages of those whom a plan concerns that it has changed: whoever created the actor, the Admins, and
 * those who requested or decided it. Call it last in a transaction.
 */
export async function notifyPlan(
  tx: Transaction,
  actor: { id: number; createdById: number },
  plan: { id: number; status: PlanStatus },
  people: readonly (number | null)[] = [],
): Promise<void> {
  const concerned = [actor.createdById, ...people, ...(await findAdminIds(tx))].filter((id) => id !== null);
  await sendToUsers(tx, concerned, {
    name: "PlanUpdated",
    data: { planId: plan.id, actorId: actor.id, status: plan.status },
  });
}
