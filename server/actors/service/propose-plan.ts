import { eq } from "drizzle-orm";
import type { DatabaseSchema } from "../../data-sources/database-schema.ts";
import type { Transaction } from "../../db/client.ts";
import { actionHash } from "../action-hash.ts";
import { textsOf } from "../check-actions.ts";
import type { Proposal } from "../proposal.ts";
import { schemaFingerprint } from "../schema-fingerprint.ts";
import { actorActions, plans } from "../tables.ts";
import { expirePlans } from "./expire-plans.ts";
import type { StoredActor } from "./load-actors.ts";
import type { StoredExecution } from "./load-executions.ts";
import { notifyPlan } from "./notify-plan.ts";
import { tellPlanDeciders } from "./tell-about-plan.ts";
import type { ProvedAction } from "./with-evidence.ts";

/**
 * Stores the proposals of a cycle as a plan that awaits a decision, and returns its id; the actor's previous pending plans expire. A
 * revision is the next version of the plan that was sent back. The caller has locked the actor.
 */
export async function proposePlan(
  tx: Transaction,
  { actor, execution }: { actor: StoredActor; execution: StoredExecution },
  {
    proposal,
    actions,
    schema,
  }: { proposal: Proposal; actions: ProvedAction[]; schema: DatabaseSchema["items"] },
): Promise<number> {
  const replaced = await expirePlans(tx, actor, "A newer plan was proposed");
  const parent = await findParent(tx, execution.revisedPlanId);
  const statements = actions.flatMap(textsOf);
  const [plan] = await tx
    .insert(plans)
    .values({
      actorId: actor.id,
      trigger: execution.trigger,
      version: (parent?.version ?? 0) + 1,
      parentPlanId: parent?.id ?? null,
      cycleId: execution.id,
      userInstruction: execution.userInstruction,
      analysis: proposal.analysis,
      keyFindings: proposal.keyFindings,
      tokensUsed: execution.tokensUsed,
      estimatedCost: execution.estimatedCost,
      model: execution.model ?? "",
      schemaFingerprint: schemaFingerprint(schema, statements),
    })
    .returning({ id: plans.id });
  if (!plan) throw new Error("The insert returned no plan");
  await storeActions(tx, { planId: plan.id }, actions);
  await tellPlanDeciders(tx, actor, {
    ...{ id: plan.id, cycleId: execution.id, isReplacing: replaced > 0 },
    ...{ analysis: proposal.analysis, actions },
  });
  await notifyPlan(tx, actor, { id: plan.id, status: "PendingApproval" }, [execution.requestedById]);
  return plan.id;
}

async function findParent(tx: Transaction, id: number | null) {
  if (id === null) return null;
  const [parent] = await tx.select().from(plans).where(eq(plans.id, id));
  return parent ?? null;
}

/** Stores actions with a hash of what is shown of them. */
export async function storeActions(
  tx: Transaction,
  of: { planId: number } | { executionId: number },
  actions: readonly ProvedAction[],
): Promise<void> {
  if (actions.length === 0) return;
  await tx.insert(actorActions).values(
    actions.map(({ proposed, facts, evidence }, index) => ({
      ...of,
      index,
      proposed,
      facts,
      evidence,
      hash: actionHash(proposed, facts),
    })),
  );
}
