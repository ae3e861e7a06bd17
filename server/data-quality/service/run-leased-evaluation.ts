import { performance } from "node:perf_hooks";
import { and, asc, desc, eq, sql } from "drizzle-orm";
import { chargeTo, SpentByRun } from "../../data-sources/charge-to.ts";
import { db, type Transaction } from "../../db/client.ts";
import { type Lease, LeaseLost } from "../../jobs/leases.ts";
import { clock, metrics } from "../../telemetry/metrics.ts";
import { traced } from "../../telemetry/tracing.ts";
import { limits } from "../limits.ts";
import { couldNotRun } from "../rules/verdict.ts";
import type { LastRun } from "../scan-order.ts";
import { contracts, evaluations, ruleResults, rules } from "../tables.ts";
import { withUsual } from "./judge-by-usual.ts";
import { withoutKnownFailures } from "./known-failures.ts";
import { evaluationLeases } from "./leases.ts";
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

type LoadedRule = Awaited<ReturnType<typeof load>>["rules"][number];

/** The current contract and its enabled rules; the evaluation records its target. */
async function load(lease: Lease) {
  const loaded = await db.transaction(async (tx) => {
    const contract = await writeDownTarget(tx, lease);
    if (contract.archivedAt !== null) {
      await tx.delete(evaluations).where(evaluationLeases.isHeldBy(lease));
      return null;
    }
    const rules = await loadRules(tx, contract.id);
    // Counted before the contract was locked, so an edit may have changed it.
    if (contract.rulesTotal !== rules.length)
      await tx.update(evaluations).set({ rulesTotal: rules.length }).where(eq(evaluations.id, lease.id));
    return { ...contract, rules };
  });
  if (!loaded) throw new LeaseLost("The contract was archived before it was evaluated");
  return loaded;
}

/** Locks the contract against edits and records it in the evaluation's row. Throws LeaseLost. */
async function writeDownTarget(tx: Transaction, lease: Lease) {
  const isHeld = evaluationLeases.isHeldBy(lease);
  const evaluated = tx.select({ id: evaluations.contractId }).from(evaluations).where(isHeld);
  const contract = tx.$with("contract").as(
    tx
      .select({
        id: contracts.id,
        dataSourceId: contracts.dataSourceId,
        schemaName: contracts.schemaName,
        tableName: contracts.tableName,
        version: contracts.version,
        samples: contracts.samples,
        timezone: contracts.timezone,
        archivedAt: contracts.archivedAt,
      })
      .from(contracts)
      .where(eq(contracts.id, sql`(${evaluated})`))
      .for("share"),
  );
  const [held] = await tx
    .with(contract)
    .update(evaluations)
    .set({
      dataSourceId: sql`${contract.dataSourceId}`,
      schemaName: sql`${contract.schemaName}`,
      tableName: sql`${contract.tableName}`,
      version: sql`${contract.version}`,
      rulesDone: 0,
      rulesRunning: [],
      rulesTotal: tx.$count(
        rules,
        and(eq(rules.contractId, evaluations.contractId), eq(rules.enabled, true)),
      ),
    })
    .from(contract)
    .where(isHeld)
    .returning({
      id: contract.id,
      dataSourceId: contract.dataSourceId,
      schemaName: contract.schemaName,
      tableName: contract.tableName,
      samples: contract.samples,
      timezone: contract.timezone,
      archivedAt: contract.archivedAt,
      trigger: evaluations.trigger,
      rulesTotal: evaluations.rulesTotal,
    });
  if (!held) throw new LeaseLost("The evaluation was taken over before it was loaded");
  return held;
}

/** Each with its result in the contract's latest evaluation, unless edited since. */
async function loadRules(tx: Transaction, contractId: number) {
  const latest = tx
    .select({ id: evaluations.id })
    .from(evaluations)
    .where(and(eq(evaluations.contractId, contractId), eq(evaluations.status, "Completed")))
    .orderBy(desc(evaluations.evaluatedAt), desc(evaluations.id))
    .limit(1);
  const found = await tx
    .select({ rule: rules, result: ruleResults })
    .from(rules)
    .leftJoin(
      ruleResults,
      and(eq(ruleResults.ruleId, rules.id), eq(ruleResults.evaluationId, sql`(${latest})`)),
    )
    .where(and(eq(rules.contractId, contractId), eq(rules.enabled, true)))
    .orderBy(asc(rules.position));
  return found.map(({ rule, result }) => ({ ...rule, lastRun: result ? lastRunOf(result) : undefined }));
}

function lastRunOf({ executionTimeMs, couldRun }: typeof ruleResults.$inferSelect): LastRun {
  return { executionTimeMs, couldRun };
}

function interrupted(rule: LoadedRule): MeasuredRule<LoadedRule> {
  const reason = `the evaluation was interrupted ${limits.maxAttempts} times`;
  return { rule, verdict: couldNotRun(reason), executionTimeMs: 0, unreachableBecause: null };
}
