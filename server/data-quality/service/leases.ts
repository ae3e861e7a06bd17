import { sql } from "drizzle-orm";
import { type Connection, db, groupDb } from "../../db/client.ts";
import { anyOf, gathered } from "../../db/gathered.ts";
import { type Lease, leasesOn } from "../../jobs/leases.ts";
import { evaluations } from "../evaluations/tables.ts";
import { limits } from "../limits.ts";
import { contracts, rules } from "../tables.ts";
import { type ContractColumns, contractColumns, type EvaluatedContract } from "./evaluated-contract.ts";

export const evaluationLeases = leasesOn(evaluations, sql`${evaluations.status} = 'Running'`, limits);

export type Occasion =
  | { trigger: "Manual"; requestedById?: number }
  | { trigger: "Scheduled"; scheduledFor: Date };

/**
 * Begins an evaluation. null if one of this contract is in progress, the scheduled time already has one, or the
 * contract is archived, or disabled and not evaluated manually.
 */
export async function beginEvaluation(contractId: number, occasion: Occasion): Promise<Begun | null> {
  if (occasion.trigger === "Manual") return begin({ contractId, occasion }, "wait");
  // Without one, the contract may just be in use.
  return (await beginScheduled({ contractId, occasion })) ?? begin({ contractId, occasion }, "wait");
}

type Begun = Lease<EvaluatedContract>;
type Beginning = { contractId: number; occasion: Occasion };

const beginScheduled = gathered((all: readonly Beginning[]) => beginAll(groupDb, all, "skip"));

async function begin(beginning: Beginning, ifLocked: "wait"): Promise<Begun | null> {
  const [lease = null] = await beginAll(db, [beginning], ifLocked);
  return lease;
}

/**
 * One statement, which records what is evaluated; the locks exclude archiving the contracts concurrently. Those that
 * others have locked can be skipped.
 */
async function beginAll(
  connection: Connection,
  all: readonly Beginning[],
  ifLocked: "wait" | "skip",
): Promise<(Begun | null)[]> {
  const leases = all.map(() => evaluationLeases.first());
  const given = all.map(({ contractId, occasion }, position) => ({
    ...{ contract_id: contractId, trigger: occasion.trigger, lease_token: leases[position]?.leaseToken },
    requested_by_id: occasion.trigger === "Manual" ? (occasion.requestedById ?? null) : null,
    scheduled_for: occasion.trigger === "Scheduled" ? occasion.scheduledFor : null,
  }));
  const { leaseUntil, attempts } = evaluationLeases.first();
  const begun = await connection.execute<ContractColumns & { evaluationId: number; token: string }>(sql`
    with given as (
      select * from json_to_recordset(${JSON.stringify(given)}::json) as given (
        contract_id integer, trigger evaluation_trigger, lease_token uuid, requested_by_id integer,
        scheduled_for timestamptz)
    ),
    contract as materialized (
      select contracts.*, given.trigger, lease_token, requested_by_id, scheduled_for
      from given join ${contracts} on contracts.id = given.contract_id
      where contracts.id = ${anyOf("given", "contract_id")} and archived_at is null
        and (contracts.enabled or trigger = 'Manual')
      order by contracts.id
      for share of contracts ${sql.raw(ifLocked === "skip" ? "skip locked" : "")}
    ),
    begun as (
      insert into ${evaluations} (
        contract_id, data_source_id, schema_name, table_name, version, rules_total, trigger, requested_by_id,
        scheduled_for, lease_token, lease_until, attempts)
      select id, data_source_id, schema_name, table_name, version,
        (select count(*) from ${rules} where contract_id = contract.id and enabled),
        trigger, requested_by_id, scheduled_for, lease_token, ${leaseUntil}, ${attempts}::integer
      from contract order by id
      on conflict do nothing
      returning id, lease_token
    )
    select begun.id as "evaluationId", lease_token as token, ${contractColumns}
    from begun join contract using (lease_token)`);
  const byToken = new Map(begun.map((row) => [row.token, row]));
  return all.map(({ occasion: { trigger } }, position) => {
    const row = byToken.get(leases[position]?.leaseToken ?? "");
    if (!row) return null;
    const { evaluationId, token, contractId, ...contract } = row;
    return { id: evaluationId, token, attempt: attempts, begun: { ...contract, id: contractId, trigger } };
  });
}
