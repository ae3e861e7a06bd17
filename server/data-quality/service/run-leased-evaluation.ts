import { performance } from "node:perf_hooks";
import { chargeTo, SpentByRun } from "../../data-sources/charge-to.ts";
import type { Lease } from "../../jobs/leases.ts";
import { clock, metrics } from "../../telemetry/metrics.ts";
import { traced } from "../../telemetry/tracing.ts";
import { limits } from "../limits.ts";
import { couldNotRun } from "../rules/verdict.ts";
import { type EvaluatedContract, type EvaluatedRule, loadEvaluated } from "./evaluated-contract.ts";
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
export function runLeasedEvaluation(lease: Lease<EvaluatedContract>): Promise<{ wantsSamples: boolean }> {
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

async function evaluate(lease: Lease<EvaluatedContract>) {
  const startedAt = performance.now();
  const contract = await loadEvaluated(lease);
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

function interrupted(rule: EvaluatedRule): MeasuredRule<EvaluatedRule> {
  const reason = `the evaluation was interrupted ${limits.maxAttempts} times`;
  return { rule, verdict: couldNotRun(reason), executionTimeMs: 0, unreachableBecause: null };
}
