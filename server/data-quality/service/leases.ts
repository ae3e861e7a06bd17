import { and, eq, isNull, sql } from "drizzle-orm";
import { db } from "../../db/client.ts";
import { type Lease, leasesOn } from "../../jobs/leases.ts";
import { limits } from "../limits.ts";
import { contracts, evaluations, rules } from "../tables.ts";
import { contractNotFound } from "./load-contracts.ts";

export const evaluationLeases = leasesOn(evaluations, sql`${evaluations.status} = 'Running'`, limits);

export type Occasion =
  | { trigger: "Manual"; requestedById?: number }
  | { trigger: "Scheduled"; scheduledFor: Date };

/**
 * Begins an evaluation. null when one of this contract is under way already, or the scheduled time has had its
 * own. Throws not_found for a contract that is archived.
 */
export async function beginEvaluation(contractId: number, occasion: Occasion): Promise<Lease | null> {
  const first = evaluationLeases.first();
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
    if (!contract) throw contractNotFound();
    const [begun] = await tx
      .insert(evaluations)
      .values({ contractId, ...contract, ...occasion, ...first })
      .onConflictDoNothing()
      .returning({ id: evaluations.id });
    return begun ? { id: begun.id, token: first.leaseToken, attempt: 1 } : null;
  });
}
