import { sql } from "drizzle-orm";
import { db } from "../../db/client.ts";
import { type Lease, leasesOn } from "../../jobs/leases.ts";
import { limits } from "../limits.ts";
import { contracts, evaluations, rules } from "../tables.ts";

export const evaluationLeases = leasesOn(evaluations, sql`${evaluations.status} = 'Running'`, limits);

export type Occasion =
  | { trigger: "Manual"; requestedById?: number }
  | { trigger: "Scheduled"; scheduledFor: Date };

/**
 * Begins an evaluation. null if one of this contract is in progress, the scheduled time already has one, or the
 * contract is archived, or disabled and not evaluated manually.
 */
export async function beginEvaluation(contractId: number, occasion: Occasion): Promise<Lease | null> {
  const { leaseToken, leaseUntil, attempts } = evaluationLeases.first();
  const { trigger } = occasion;
  const requestedById = trigger === "Manual" ? (occasion.requestedById ?? null) : null;
  const scheduledFor =
    trigger === "Scheduled" ? sql.param(occasion.scheduledFor, evaluations.scheduledFor) : null;
  // One statement; the lock excludes archiving the contract concurrently.
  const [begun] = await db.execute<{ id: number }>(sql`
    insert into ${evaluations} (
      contract_id, data_source_id, schema_name, table_name, rules_total, trigger, requested_by_id, scheduled_for,
      lease_token, lease_until, attempts)
    select id, data_source_id, schema_name, table_name,
      (select count(*) from ${rules} where contract_id = ${contractId} and enabled),
      ${trigger}::evaluation_trigger, ${requestedById}::integer, ${scheduledFor}::timestamptz,
      ${leaseToken}, ${leaseUntil}, ${attempts}::integer
    from ${contracts}
    where id = ${contractId} and archived_at is null and (enabled or ${trigger} = 'Manual')
    for share
    on conflict do nothing
    returning id`);
  return begun ? { id: begun.id, token: leaseToken, attempt: attempts } : null;
}
