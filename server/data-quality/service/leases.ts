import { randomUUID } from "node:crypto";
import { and, asc, eq, isNull, lt, type SQL, sql } from "drizzle-orm";
import { db } from "../../db/client.ts";
import { Problem } from "../../errors.ts";
import { limits } from "../limits.ts";
import { contracts, evaluations, rules } from "../tables.ts";

/**
 * Who works on an evaluation. A row in Running has a lease that its worker keeps renewing; when the worker dies,
 * the lease runs out and somebody else takes the row over under a new token. Everything that is written about a
 * running evaluation names the token, so whoever has lost the lease can write no more.
 */
export type Lease = {
  evaluationId: number;
  contractId: number;
  token: string;
  /** Counts from 1. */
  attempt: number;
};

/** The lease was lost: somebody else works on the evaluation, or it is gone. */
export class LeaseLost extends Error {
  override readonly name = "LeaseLost";
}

export type Occasion = { trigger: "Manual" } | { trigger: "Scheduled"; scheduledFor: Date };

// The clock itself rather than now(): inside a transaction that waited, now() is long past.
const leaseEnd = () => sql`clock_timestamp() + ${limits.leaseMs} * interval '1 millisecond'`;
const isExpired = lt(evaluations.leaseUntil, sql`clock_timestamp()`);

/** The condition that the evaluation is still the lease's. */
export function isHeldBy({ evaluationId, token }: Lease): SQL | undefined {
  return and(
    eq(evaluations.id, evaluationId),
    eq(evaluations.leaseToken, token),
    eq(evaluations.status, "Running"),
  );
}

/**
 * Begins an evaluation. null when one of this contract is under way already, or the scheduled time has had its
 * own. Throws not_found for a contract that is archived.
 */
export async function beginEvaluation(contractId: number, occasion: Occasion): Promise<Lease | null> {
  const token = randomUUID();
  return await db.transaction(async (tx) => {
    const [contract] = await tx
      .select({
        dataSourceId: contracts.dataSourceId,
        schemaName: contracts.schemaName,
        tableName: contracts.tableName,
        rulesTotal: tx.$count(rules, and(eq(rules.contractId, contractId), eq(rules.enabled, true))),
      })
      .from(contracts)
      .where(and(eq(contracts.id, contractId), isNull(contracts.archivedAt)))
      .for("share");
    if (!contract) throw new Problem("not_found", "Data contract not found");
    const [begun] = await tx
      .insert(evaluations)
      .values({ contractId, ...contract, ...occasion, leaseToken: token, leaseUntil: leaseEnd() })
      .onConflictDoNothing()
      .returning({ id: evaluations.id });
    return begun ? { evaluationId: begun.id, contractId, token, attempt: 1 } : null;
  });
}

/** Takes over an evaluation whose lease has run out: this one, or the longest abandoned of all. */
export async function takeOver(evaluationId?: number): Promise<Lease | null> {
  const token = randomUUID();
  const abandoned = db
    .select({ id: evaluations.id })
    .from(evaluations)
    .where(
      and(
        eq(evaluations.status, "Running"),
        isExpired,
        evaluationId === undefined ? undefined : eq(evaluations.id, evaluationId),
      ),
    )
    .orderBy(asc(evaluations.leaseUntil))
    .limit(1)
    .for("update", { skipLocked: true });
  const [taken] = await db
    .update(evaluations)
    .set({ leaseToken: token, leaseUntil: leaseEnd(), attempts: sql`${evaluations.attempts} + 1` })
    .where(eq(evaluations.id, sql`(${abandoned})`))
    .returning({
      evaluationId: evaluations.id,
      contractId: evaluations.contractId,
      attempt: evaluations.attempts,
    });
  return taken ? { ...taken, token } : null;
}

/** A sign of life, with the progress if there is any. False when the lease is lost. */
export async function renewLease(lease: Lease, progress: { rulesDone?: number } = {}): Promise<boolean> {
  const renewed = await db
    .update(evaluations)
    .set({ leaseUntil: leaseEnd(), ...progress })
    .where(isHeldBy(lease))
    .returning({ id: evaluations.id });
  return renewed.length > 0;
}

/** Gives an evaluation back that could not be finished: after a rest, the next who looks takes it over. */
export async function releaseLease(lease: Lease): Promise<void> {
  await db
    .update(evaluations)
    .set({ leaseUntil: sql`clock_timestamp() + ${limits.retryMs} * interval '1 millisecond'` })
    .where(isHeldBy(lease));
}
