import { and, asc, desc, eq, isNull, sql } from "drizzle-orm";
import type { SampleMode } from "../../data-sources/sample.ts";
import { db, groupDb } from "../../db/client.ts";
import { compiled } from "../../db/compiled.ts";
import { gathered, idsOf, isOneOfIds } from "../../db/gathered.ts";
import { type Lease, LeaseLost } from "../../jobs/leases.ts";
import { evaluations, ruleResults } from "../evaluations/tables.ts";
import type { LastRun } from "../scan-order.ts";
import { contracts, rules } from "../tables.ts";

/** What is evaluated: a contract and its rules, as recorded when the evaluation begins or is taken over. */
export type EvaluatedContract = {
  id: number;
  dataSourceId: number;
  schemaName: string;
  tableName: string;
  samples: SampleMode;
  timezone: string;
  failureThreshold: number;
  revision: number;
  trigger: "Manual" | "Scheduled";
};

/** Its columns, from a row of contracts named `contract`; without the trigger, which is the evaluation's. */
export const contractColumns =
  sql.raw(`contract.id as "contractId", contract.data_source_id as "dataSourceId",
  contract.schema_name as "schemaName", contract.table_name as "tableName", contract.samples, contract.timezone,
  contract.failure_threshold::float8 as "failureThreshold", contract.revision`);

export type ContractColumns = Omit<EvaluatedContract, "id" | "trigger"> & { contractId: number };

/** With the contract's revision, which every edit of its rules changes. */
export type EvaluatedRule = typeof rules.$inferSelect & { lastRun: LastRun | undefined; revision: number };

/**
 * The current contract and its enabled rules; the evaluation records its target. Throws LeaseLost, also for a contract that
 * was archived: its evaluation is gone.
 */
export async function loadEvaluated(
  lease: Lease<EvaluatedContract>,
): Promise<EvaluatedContract & { rules: EvaluatedRule[] }> {
  const { begun } = lease;
  const rules = begun ? await rulesOf(begun.id) : [];
  // Without a transaction, an edit may have come between the two.
  if (begun && rules.length > 0 && rules.every(({ revision }) => revision === begun.revision))
    return { ...begun, rules };
  return loadLocked(lease);
}

/** Waits for a contract that is in use, and keeps it from being edited until it is loaded. */
async function loadLocked({ id, token }: Lease) {
  const isOurs = eq(evaluations.id, id);
  const loaded = await db.transaction(async (tx) => {
    const [found] = await tx.execute<Recorded>(sql`
      with contract as (
        select contracts.* from ${contracts} join ${evaluations} on evaluations.contract_id = contracts.id
        where ${isOurs} for share of contracts
      )
      update ${evaluations} set
        data_source_id = contract.data_source_id, schema_name = contract.schema_name,
        table_name = contract.table_name, version = contract.version, rules_done = 0, rules_running = '{}'
      from contract where ${isOurs} and lease_token = ${token} and status = 'Running'
      returning ${contractColumns}, trigger, contract.archived_at is not null as "isArchived"`);
    if (!found) return "taken over";
    const { contractId, isArchived, ...contract } = found;
    if (isArchived) {
      await tx.delete(evaluations).where(isOurs);
      return "archived";
    }
    const loaded = await rulesOf(contractId);
    await tx.update(evaluations).set({ rulesTotal: loaded.length }).where(isOurs);
    return { ...contract, id: contractId, rules: loaded };
  });
  if (loaded === "taken over") throw new LeaseLost("The evaluation was taken over before it was loaded");
  if (loaded === "archived") throw new LeaseLost("The contract was archived before it was evaluated");
  return loaded;
}

type Recorded = ContractColumns & { trigger: EvaluatedContract["trigger"]; isArchived: boolean };

/** Of contracts that are not archived, each rule with its result in the latest evaluation, unless edited since. */
const rulesOf = gathered(async (contractIds: readonly number[]): Promise<EvaluatedRule[][]> => {
  const found = await rulesOfContracts().execute(idsOf(contractIds));
  const byContract = Map.groupBy(found, ({ rule }) => rule.contractId);
  return contractIds.map((id) =>
    (byContract.get(id) ?? []).map(({ rule, result, revision }) => ({
      ...rule,
      lastRun: result ?? undefined,
      revision,
    })),
  );
});

const rulesOfContracts = compiled((db) => {
  const latest = db
    .select({ id: evaluations.id })
    .from(evaluations)
    .where(and(eq(evaluations.contractId, rules.contractId), eq(evaluations.status, "Completed")))
    .orderBy(desc(evaluations.evaluatedAt), desc(evaluations.id))
    .limit(1);
  return db
    .select({
      rule: rules,
      result: { executionTimeMs: ruleResults.executionTimeMs, couldRun: ruleResults.couldRun },
      revision: contracts.revision,
    })
    .from(rules)
    .innerJoin(contracts, eq(contracts.id, rules.contractId))
    .leftJoin(
      ruleResults,
      and(eq(ruleResults.ruleId, rules.id), eq(ruleResults.evaluationId, sql`(${latest})`)),
    )
    .where(and(isOneOfIds(rules.contractId), eq(rules.enabled, true), isNull(contracts.archivedAt)))
    .orderBy(asc(rules.position));
}, groupDb);
