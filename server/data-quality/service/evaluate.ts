import { setTimeout as delay } from "node:timers/promises";
import { and, eq, lt, sql } from "drizzle-orm";
import type { SignedIn } from "../../auth/principal.ts";
import { db } from "../../db/client.ts";
import { Problem } from "../../errors.ts";
import { log } from "../../log.ts";
import { limits } from "../limits.ts";
import { contracts, evaluations } from "../tables.ts";
import { getEvaluation } from "./history.ts";
import { beginEvaluation, type Lease, LeaseLost, releaseLease, takeOver } from "./leases.ts";
import { getContractTarget } from "./load-contracts.ts";
import { runEvaluation } from "./run-evaluation.ts";

/** Evaluates a contract now and waits for the result. Joins an evaluation of it that is under way. */
export async function evaluateContract(ctx: SignedIn, contractId: number) {
  const evaluationId = await beginOrJoin(ctx, contractId);
  await waitFor(evaluationId);
  return getEvaluation(ctx, evaluationId);
}

/** Begins or joins an evaluation of a contract and returns at once; it goes on in the background. */
export async function startEvaluation(ctx: SignedIn, contractId: number) {
  return getEvaluation(ctx, await beginOrJoin(ctx, contractId));
}

async function beginOrJoin(ctx: SignedIn, contractId: number): Promise<number> {
  await getContractTarget(ctx, contractId);
  for (;;) {
    const lease = await beginEvaluation(contractId, { trigger: "Manual" });
    if (lease) {
      void work(lease);
      return lease.evaluationId;
    }
    const underWay = await findRunning(contractId);
    if (underWay === null) continue; // It has just ended.
    // Its process may be gone.
    const abandoned = await takeOver(underWay);
    if (abandoned) void work(abandoned);
    return underWay;
  }
}

/**
 * Evaluates a contract whose scheduled time has come; once, however often it is asked to. It waits for another
 * evaluation that is under way, and then makes its own. A contract that was disabled or archived in the
 * meantime is not evaluated.
 */
export async function evaluateDueContract(
  contractId: number,
  scheduledFor: Date,
): Promise<{ evaluationId: number } | { skipped: string }> {
  for (;;) {
    const begun = await findScheduled(contractId, scheduledFor);
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
    const lease = await beginEvaluation(contractId, { trigger: "Scheduled", scheduledFor });
    if (lease) {
      void work(lease);
      continue;
    }
    const other = await findRunning(contractId);
    if (other !== null) await waitFor(other).catch(() => {});
  }
}

/** Finishes what processes that are gone have left in Running. Returns how many evaluations it took over. */
export async function recoverAbandonedEvaluations(): Promise<number> {
  let count = 0;
  const recoverer = async () => {
    for (let lease = await takeOver(); lease; lease = await takeOver()) {
      count += 1;
      await work(lease);
    }
  };
  await Promise.all([recoverer(), recoverer(), recoverer(), recoverer()]);
  return count;
}

/** Evaluations that this process works on, by id. Next and server/main.ts each load this module. */
const shared = globalThis as { plumblineEvaluations?: Map<number, Promise<void>> };
shared.plumblineEvaluations ??= new Map();
const workedOnHere = shared.plumblineEvaluations;

/** Works on an evaluation until it is stored, or given back. Never rejects. */
function work(lease: Lease): Promise<void> {
  const done = runEvaluation(lease)
    .catch(async (err) => {
      if (err instanceof LeaseLost)
        return log.info({ err, ...idsOf(lease) }, "Somebody else evaluates this contract");
      log.error({ err, ...idsOf(lease) }, "An evaluation was interrupted");
      await releaseLease(lease).catch(() => {});
    })
    .finally(() => workedOnHere.delete(lease.evaluationId));
  workedOnHere.set(lease.evaluationId, done);
  return done;
}

const idsOf = ({ contractId, evaluationId }: Lease) => ({ contractId, evaluationId });

/** Waits until an evaluation is stored, whoever works on it, and takes it over if nobody does any more. */
async function waitFor(evaluationId: number): Promise<void> {
  for (;;) {
    const here = workedOnHere.get(evaluationId);
    await here;
    const [evaluation] = await db
      .select({
        status: evaluations.status,
        isAbandoned: lt(evaluations.leaseUntil, sql`clock_timestamp()`).mapWith(Boolean),
      })
      .from(evaluations)
      .where(eq(evaluations.id, evaluationId));
    if (!evaluation) throw new Problem("not_found", "Data contract not found");
    if (evaluation.status === "Completed") return;
    const lease = evaluation.isAbandoned ? await takeOver(evaluationId) : null;
    if (lease) void work(lease);
    else await delay(limits.pollMs);
  }
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
