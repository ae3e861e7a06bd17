import { performance } from "node:perf_hooks";
import { and, asc, desc, eq, type SQL, sql } from "drizzle-orm";
import { chargeTo, SpentByRun } from "../../data-sources/charge-to.ts";
import type { SampleMode } from "../../data-sources/sample.ts";
import { db, groupDb } from "../../db/client.ts";
import { compiled, compiledStatement } from "../../db/compiled.ts";
import { anyOf, gathered, idsOf, isOneOfIds } from "../../db/gathered.ts";
import { type Lease, LeaseLost } from "../../jobs/leases.ts";
import { clock, metrics } from "../../telemetry/metrics.ts";
import { traced } from "../../telemetry/tracing.ts";
import { evaluations, ruleResults } from "../evaluations/tables.ts";
import { limits } from "../limits.ts";
import { couldNotRun } from "../rules/verdict.ts";
import type { LastRun } from "../scan-order.ts";
import { contracts, rules } from "../tables.ts";
import { withUsual } from "./judge-by-usual.ts";
import { withoutKnownFailures } from "./known-failures.ts";
import { measureRules } from "./measure-rules.ts";
import type { MeasuredRule } from "./measurement-queue.ts";
import { Progress } from "./progress.ts";
import { storeEvaluation } from "./store-evaluation.ts";

/**
 * One evaluation of a data contract, start to finish.
 *
 * Rules that only aggregate share one scan; the others run individually, each with its own time limit. A rule that
 * cannot run fails on its own. The result is stored in one transaction, under the lease: an interrupted evaluation is
 * run again but stored once. Manual evaluations do not wait behind scheduled ones.
 */
export function runLeasedEvaluation(lease: Lease): Promise<{ wantsSamples: boolean }> {
  const took = clock();
  return traced("evaluation", { "plumbline.evaluation.id": lease.id }, async (span) => {
    const { trigger, results, stored } = await evaluate(lease);
    const outcome = results.every(({ verdict }) => verdict.passed) ? "passed" : "failed";
    metrics.evaluations.inc({ trigger, outcome });
    metrics.evaluationSeconds.observe(took());
    span?.setAttributes({ "plumbline.evaluation.outcome": outcome, "plumbline.rules": results.length });
    return stored;
  });
}

async function evaluate(lease: Lease) {
  const startedAt = performance.now();
  const contract = await load(lease);
  const progress = new Progress(lease, contract.rules.length);
  const spent = new SpentByRun();
  const measured =
    lease.attempt > limits.maxAttempts
      ? contract.rules.map(interrupted)
      : await chargeTo({ contractId: contract.id, spent }, () =>
          measureRules(contract, progress, {
            priority: contract.trigger === "Manual" ? "person" : "schedule",
            samples: contract.samples,
          }),
        ).finally(() => progress.end());
  const judged = await withUsual(measured, { ...contract, contractId: contract.id });
  const results = await withoutKnownFailures(contract, judged);
  const stored = await storeEvaluation(lease, contract, results, {
    executionTimeMs: Math.round(performance.now() - startedAt),
    cost: spent.cost,
  });
  return { trigger: contract.trigger, results, stored };
}

/**
 * The current contract and its enabled rules; the evaluation records its target. Throws LeaseLost, also for a contract that
 * was archived: its evaluation is gone.
 */
async function load(lease: Lease) {
  const loaded = (await loadTogether(lease)) ?? (await loadAlone(lease));
  if (!loaded) throw new LeaseLost("The evaluation was taken over before it was loaded");
  if (loaded.isArchived) throw new LeaseLost("The contract was archived before it was evaluated");
  return loaded;
}

/**
 * Two statements for all that come at the same time, without a transaction: null if the contract is in use, archived, or
 * has no rules, and if it was edited between the two.
 */
const loadTogether = gathered(async (leases: readonly Lease[]) => {
  const written = await writeTargets.together({ leases: JSON.stringify(leases) });
  const rulesOf = await loadRules(written.map(({ id }) => id));
  const loaded = new Map(
    written.flatMap((contract) => {
      const rules = rulesOf.get(contract.id) ?? [];
      const isWhole = rules.length > 0 && rules.every(({ revision }) => revision === contract.revision);
      return isWhole && !contract.isArchived ? [[contract.token, { ...contract, rules }]] : [];
    }),
  );
  return leases.map(({ token }) => loaded.get(token) ?? null);
});

/** Waits for a contract that is in use, and keeps it from being edited until it is loaded. */
function loadAlone(lease: Lease) {
  return db.transaction(async (tx) => {
    const [contract] = await writeTargets.alone({ leases: JSON.stringify([lease]) });
    if (!contract) return null;
    const isOurs = eq(evaluations.id, contract.evaluationId);
    if (contract.isArchived) await tx.delete(evaluations).where(isOurs);
    const rules = (await loadRules([contract.id])).get(contract.id) ?? [];
    // Counted before the contract was locked, so an edit may have changed it.
    if (contract.rulesTotal !== rules.length && !contract.isArchived)
      await tx.update(evaluations).set({ rulesTotal: rules.length }).where(isOurs);
    return { ...contract, rules };
  });
}

type Written = {
  evaluationId: number;
  token: string;
  trigger: "Manual" | "Scheduled";
  rulesTotal: number;
  id: number;
  dataSourceId: number;
  schemaName: string;
  tableName: string;
  samples: SampleMode;
  timezone: string;
  revision: number;
  isArchived: boolean;
};

/** Locks the contracts against edits and records them in the evaluations' rows, of which the leases are still held. */
const writingTargets = (database: typeof db, skipLocked: SQL) =>
  compiledStatement<Written, { leases: string }>(
    database,
    () => sql`
    with given as (
      select * from json_to_recordset(${sql.placeholder("leases")}::json) as given (id integer, token uuid)
    ),
    evaluation as materialized (
      select given.id, given.token, contract_id from given join ${evaluations} on evaluations.id = given.id
      where evaluations.id = ${anyOf("given", "id")}
    ),
    contract as (
      select evaluation.id as evaluation_id, evaluation.token, contracts.*
      from evaluation join ${contracts} on contracts.id = evaluation.contract_id
      where contracts.id = ${anyOf("evaluation", "contract_id")}
      order by contracts.id for share of contracts ${skipLocked}
    )
    update ${evaluations} set
      data_source_id = contract.data_source_id, schema_name = contract.schema_name,
      table_name = contract.table_name, version = contract.version, rules_done = 0, rules_running = '{}',
      rules_total = (select count(*) from ${rules} where contract_id = contract.id and enabled)
    from contract
    where evaluations.id = contract.evaluation_id and evaluations.id = ${anyOf("given", "id")}
      and evaluations.lease_token = contract.token
      and evaluations.status = 'Running'
    returning evaluations.id as "evaluationId", contract.token, trigger, rules_total as "rulesTotal",
      contract.id, contract.data_source_id as "dataSourceId", contract.schema_name as "schemaName",
      contract.table_name as "tableName", contract.samples, contract.timezone, contract.revision,
      contract.archived_at is not null as "isArchived"`,
  );

/** Only what waits for nobody goes to the connections that groups share. */
const writeTargets = {
  together: writingTargets(groupDb, sql`skip locked`),
  alone: writingTargets(db, sql``),
};

/** With the contract's revision, which every edit of its rules changes. */
type LoadedRule = typeof rules.$inferSelect & { lastRun: LastRun | undefined; revision: number };

/** By contract, each with its result in the contract's latest evaluation, unless edited since. */
async function loadRules(contractIds: readonly number[]): Promise<Map<number, LoadedRule[]>> {
  const found = await rulesOfContracts().execute(idsOf(contractIds));
  return Map.groupBy(
    found.map(({ rule, result, revision }) => ({ ...rule, lastRun: result ?? undefined, revision })),
    ({ contractId }) => contractId,
  );
}

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
    .where(and(isOneOfIds(rules.contractId), eq(rules.enabled, true)))
    .orderBy(asc(rules.position));
}, groupDb);

function interrupted(rule: LoadedRule): MeasuredRule<LoadedRule> {
  const reason = `the evaluation was interrupted ${limits.maxAttempts} times`;
  return { rule, verdict: couldNotRun(reason), executionTimeMs: 0, unreachableBecause: null };
}
