import { and, eq } from "drizzle-orm";
import type { SignedIn } from "../../auth/principal.ts";
import { recorded } from "../../auth/recorded.ts";
import { afterCommit } from "../../db/ambient.ts";
import { db } from "../../db/client.ts";
import { defineLeasedWork } from "../../jobs/leased-work.ts";
import type { Lease } from "../../jobs/leases.ts";
import { evaluations } from "../evaluations/tables.ts";
import { limits } from "../limits.ts";
import { contracts } from "../tables.ts";
import { collectDueSamples } from "./collect-samples.ts";
import type { EvaluatedContract } from "./evaluated-contract.ts";
import { getEvaluation } from "./history.ts";
import { beginEvaluation, evaluationLeases } from "./leases.ts";
import { contractNotFound, getContractTarget } from "./load-contracts.ts";
import { runLeasedEvaluation } from "./run-leased-evaluation.ts";

const work = defineLeasedWork<EvaluatedContract>({
  name: "evaluation",
  leases: evaluationLeases,
  times: limits,
  run: async (lease) => {
    const { wantsSamples } = await runLeasedEvaluation(lease);
    // Runs in the background: nobody waits for samples.
    if (wantsSamples) void collectDueSamples();
  },
});

/** Evaluates a contract now and waits for the result. Joins an evaluation that is in progress. */
export async function evaluateContract(ctx: SignedIn, contractId: number) {
  const { evaluationId } = await recorded(ctx, () => beginOrJoin(ctx, contractId));
  await waitFor(evaluationId);
  return getEvaluation(ctx, evaluationId);
}

/** Begins or joins an evaluation of a contract and returns immediately; it continues in the background. */
export async function startEvaluation(ctx: SignedIn, contractId: number) {
  const { evaluationId } = await recorded(ctx, () => beginOrJoin(ctx, contractId));
  return getEvaluation(ctx, evaluationId);
}

async function beginOrJoin(ctx: SignedIn, contractId: number): Promise<{ evaluationId: number }> {
  for (;;) {
    await getContractTarget(ctx, contractId);
    const lease = await beginEvaluation(contractId, {
      ...{ trigger: "Manual", requestedById: ctx.principal.userId },
    });
    if (lease) {
      workOn(lease);
      return { evaluationId: lease.id };
    }
    const underWay = await findRunning(contractId);
    if (underWay === null) continue; // It has just ended.
    // Its process may have died.
    const abandoned = await evaluationLeases.take(underWay);
    if (abandoned) workOn(abandoned);
    return { evaluationId: underWay };
  }
}

/** In the background, once the transaction that took the lease has committed. */
const workOn = (lease: Lease<EvaluatedContract>) => afterCommit(() => void work.begin(lease));

/**
 * Evaluates a contract that is due, once per scheduled time, however often it is called. Waits for another evaluation
 * in progress and then runs its own. Skipped if the contract was disabled or archived in the meantime.
 */
export async function evaluateDueContract(
  contractId: number,
  scheduledFor: Date,
): Promise<{ evaluationId: number } | { skipped: string }> {
  for (;;) {
    const lease = await beginEvaluation(contractId, { trigger: "Scheduled", scheduledFor });
    if (lease) workOn(lease);
    const begun = lease?.id ?? (await findScheduled(contractId, scheduledFor));
    if (begun !== null) {
      await waitFor(begun);
      return { evaluationId: begun };
    }
    const [contract] = await db
      .select({ enabled: contracts.enabled, archivedAt: contracts.archivedAt })
      .from(contracts)
      .where(eq(contracts.id, contractId));
    if (!contract || contract.archivedAt !== null) return { skipped: "The contract is archived" };
    if (!contract.enabled) return { skipped: "The contract is disabled" };
    const other = await findRunning(contractId);
    if (other !== null) await waitFor(other).catch(() => {});
  }
}

/** Finishes evaluations that dead processes left in Running. Returns how many it took over. */
export const recoverAbandonedEvaluations = () => work.recover();

/** Waits until an evaluation is stored. Throws not_found if its contract is archived before that. */
async function waitFor(evaluationId: number): Promise<void> {
  if (!(await work.waitFor(evaluationId))) throw contractNotFound();
}

async function findRunning(contractId: number): Promise<number | null> {
  const [running] = await db
    .select({ id: evaluations.id })
    .from(evaluations)
    .where(and(eq(evaluations.contractId, contractId), eq(evaluations.status, "Running")));
  return running?.id ?? null;
}

async function findScheduled(contractId: number, scheduledFor: Date): Promise<number | null> {
  const [scheduled] = await db
    .select({ id: evaluations.id })
    .from(evaluations)
    .where(and(eq(evaluations.contractId, contractId), eq(evaluations.scheduledFor, scheduledFor)));
  return scheduled?.id ?? null;
}
