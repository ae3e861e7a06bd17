import { performance } from "node:perf_hooks";
import { and, asc, desc, eq, sql } from "drizzle-orm";
import { db, type Transaction } from "../../db/client.ts";
import { type Lease, LeaseLost } from "../../jobs/leases.ts";
import { clock, metrics } from "../../telemetry/metrics.ts";
import { traced } from "../../telemetry/tracing.ts";
import { limits } from "../limits.ts";
import { saysThatItCouldNotRun } from "../measure.ts";
import type { LastRun } from "../readings.ts";
import { couldNotRun } from "../rules/rule.ts";
import { contracts, evaluations, ruleResults, rules } from "../tables.ts";
import { evaluationLeases } from "./leases.ts";
import { measureRules } from "./measure-rules.ts";
import type { MeasuredRule } from "./measurement.ts";
import { Progress } from "./progress.ts";
import { storeEvaluation } from "./store-evaluation.ts";

/**
 * One evaluation of a data contract, start to finish.
 *
 * Rules that only aggregate share one scan; the others run alone, each with its own time limit. A rule that
 * cannot run fails by itself. What is stored is stored at once and under the lease: an evaluation that was
 * interrupted is run again and stored once. One that a person asked for does not wait behind scheduled ones.
 */
export function runEvaluation(lease: Lease): Promise<{ wantsSamples: boolean }> {
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
  const progress = new Progress(lease);
  const results =
    lease.attempt > limits.maxAttempts
      ? contract.rules.map(interrupted)
      : await measureRules(contract, progress, {
          priority: contract.trigger === "Manual" ? "person" : "schedule",
        }).finally(() => progress.end());
  const stored = await storeEvaluation(lease, contract, results, Math.round(performance.now() - startedAt));
  return { trigger: contract.trigger, results, stored };
}

type LoadedRule = Awaited<ReturnType<typeof load>>["rules"][number];

/** The contract and its enabled rules as they are now; what the evaluation is of is written down with it. */
async function load(lease: Lease) {
  const isHeld = evaluationLeases.isHeldBy(lease);
  const loaded = await db.transaction(async (tx) => {
    const [begun] = await tx.select({ contractId: evaluations.contractId }).from(evaluations).where(isHeld);
    if (!begun) throw new LeaseLost("The evaluation was taken over before it was loaded");
    const { contractId } = begun;
    const [contract] = await tx
      .select({
        dataSourceId: contracts.dataSourceId,
        schemaName: contracts.schemaName,
        tableName: contracts.tableName,
        revision: contracts.revision,
        archivedAt: contracts.archivedAt,
      })
      .from(contracts)
      .where(eq(contracts.id, contractId))
      .for("share");
    if (!contract || contract.archivedAt !== null) {
      await tx.delete(evaluations).where(isHeld);
      return null;
    }
    const enabledRules = await tx
      .select()
      .from(rules)
      .where(and(eq(rules.contractId, contractId), eq(rules.enabled, true)))
      .orderBy(asc(rules.position));
    const { dataSourceId, schemaName, tableName } = contract;
    const held = await tx
      .update(evaluations)
      .set({
        dataSourceId,
        schemaName,
        tableName,
        rulesDone: 0,
        rulesRunning: [],
        rulesTotal: enabledRules.length,
      })
      .where(isHeld)
      .returning({ trigger: evaluations.trigger });
    if (!held[0]) throw new LeaseLost("The evaluation was taken over before it was loaded");
    const lastRuns = await loadLastRuns(tx, contractId);
    return {
      ...contract,
      id: contractId,
      trigger: held[0].trigger,
      rules: enabledRules.map((rule) => ({ ...rule, lastRun: lastRuns.get(rule.id) })),
    };
  });
  if (!loaded) throw new LeaseLost("The contract was archived before it was evaluated");
  return loaded;
}

/** How each rule ran in the contract's latest evaluation, by rule; rules of before an edit are gone. */
async function loadLastRuns(tx: Transaction, contractId: number): Promise<Map<number, LastRun>> {
  const latest = tx
    .select({ id: evaluations.id })
    .from(evaluations)
    .where(and(eq(evaluations.contractId, contractId), eq(evaluations.status, "Completed")))
    .orderBy(desc(evaluations.evaluatedAt), desc(evaluations.id))
    .limit(1);
  const results = await tx
    .select({
      ruleId: ruleResults.ruleId,
      executionTimeMs: ruleResults.executionTimeMs,
      message: ruleResults.message,
    })
    .from(ruleResults)
    .where(eq(ruleResults.evaluationId, sql`(${latest})`));
  return new Map(
    results.map(({ ruleId, executionTimeMs, message }) => [
      ruleId,
      { executionTimeMs, couldRun: !saysThatItCouldNotRun(message) },
    ]),
  );
}

function interrupted(rule: LoadedRule): MeasuredRule<LoadedRule> {
  const reason = `the evaluation was interrupted ${limits.maxAttempts} times`;
  return { rule, verdict: couldNotRun(reason), executionTimeMs: 0 };
}
