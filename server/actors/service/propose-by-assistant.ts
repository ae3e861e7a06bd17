import { and, eq } from "drizzle-orm";
import type { SignedIn } from "../../auth/principal.ts";
import { recorded } from "../../auth/recorded.ts";
import { getSchema } from "../../data-sources/service/read-schema.ts";
import { db, type Transaction } from "../../db/client.ts";
import { Problem } from "../../errors.ts";
import type { AssistantProposal } from "../assistant-proposal.ts";
import { storableProposal } from "../storable-proposal.ts";
import { actorExecutions, plans } from "../tables.ts";
import { getActorRow, lockActor } from "./load-actors.ts";
import { loadBounds } from "./load-bounds.ts";
import { getPlan } from "./load-plans.ts";
import { proposePlan } from "./propose-plan.ts";
import { resolveFindings } from "./resolve-findings.ts";
import { repairOf, withEvidence } from "./with-evidence.ts";

/**
 * A plan that an assistant proposes in the name of an actor: it waits for a person like every plan of the actor, even if
 * the actor may act without approval. Its actions pass the gates of the actor's own; what fails one is rejected, with
 * the reason, before anyone sees it. Throws not_found, conflict for an actor that is not active or has a plan of
 * someone else waiting, and rejected.
 */
export async function proposeByAssistant(ctx: SignedIn, { actorId, analysis, ...asked }: AssistantProposal) {
  const actor = await getActorRow(ctx, actorId);
  requireActive(actor);
  const { actions, errors } = await resolveFindings(ctx, actor.dataSourceId, asked.actions);
  if (errors.length > 0) throw new Problem("rejected", cannotBeDone, { errors });
  const [summary = ""] = analysis.split("\n", 1);
  const proposal = storableProposal({
    ...{ summary, analysis, keyFindings: [], actions, answers: [], notification: null },
  });
  const schema = (await getSchema(ctx, actor.dataSourceId)).items;
  const proved = await withEvidence(ctx, proposal, await loadBounds(actor), new Map());
  const repair = repairOf(proposal, proved);
  if (repair)
    throw new Problem("rejected", cannotBeDone, {
      errors: repair.faults.flatMap(({ index, errors }) =>
        errors.map((message) => ({ path: `actions.${index}`, message })),
      ),
    });
  const model = nameOf(ctx);
  const store = async (tx: Transaction) => {
    const held = await lockActor(tx, actorId);
    requireActive(held);
    await requireTurn(tx, actorId, model);
    const [execution] = await tx
      .insert(actorExecutions)
      .values({
        ...{ actorId, kind: "ThinkCycle", trigger: "UserInstruction", phase: "Completed" },
        phaseTimes: [{ phase: "Completed", at: new Date().toISOString() }],
        requestedById: ctx.principal.userId,
        decisionSummary: proposal.summary,
        detailedAnalysis: proposal.analysis,
        model,
        completedAt: new Date(),
      })
      .returning();
    if (!execution) throw new Error("The insert returned no execution");
    const id = await proposePlan(tx, { actor: held, execution }, { proposal, actions: proved, schema });
    return { id, actorName: held.name };
  };
  const { id } = await recorded(ctx, () => db.transaction(store));
  return getPlan(ctx, id);
}

const cannotBeDone = "Nothing was proposed, because these actions cannot be done";

function requireActive({ status }: { status: string }): void {
  if (status !== "Active") throw new Problem("conflict", "Actor is not active");
}

/** A newer plan replaces the one that waits, so only its own proposer may make one. */
async function requireTurn(tx: Transaction, actorId: number, model: string): Promise<void> {
  const waiting = await tx
    .select({ model: plans.model })
    .from(plans)
    .where(and(eq(plans.actorId, actorId), eq(plans.status, "PendingApproval")));
  if (waiting.some((plan) => plan.model !== model))
    throw new Problem("conflict", "The actor has a plan that waits for a decision: see list_pending_plans");
}

/** Whose assistant it is and by which key, shown where a plan says which model it is of. */
const nameOf = ({ principal }: SignedIn) =>
  principal.kind === "ApiKey"
    ? `Assistant with key ${principal.keyId}, ${principal.name}`
    : `Assistant of ${principal.name}`;
