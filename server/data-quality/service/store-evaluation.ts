import type { RunCost } from "../../data-sources/cost.ts";
import { storedAtOnce } from "../../db/stored-at-once.ts";
import { type Lease, LeaseLost } from "../../jobs/leases.ts";
import { log } from "../../telemetry/log.ts";
import { isBelow } from "../alert-policy.ts";
import { overallScore } from "../score.ts";
import { shownText } from "../shown-verdict.ts";
import { wereNotAllAdded } from "./add-scores.ts";
import type { EvaluatedContract, EvaluatedRule } from "./evaluated-contract.ts";
import type { MeasuredRule } from "./measurement-queue.ts";
import { type Stored, storeEvaluations } from "./store-evaluations.ts";
import { canBeStoredTogether, storeTogether } from "./store-together.ts";

/**
 * Stores the evaluation with its rule results, each rule's score in its series, the table's latest score and trend, and
 * any alert, in one transaction. If the contract was edited meanwhile, rules that were changed no longer exist: of them
 * only the series are stored. If the data source was unreachable, the series get no point. Records and returns whether to
 * sample failing rows; that happens later and does not affect the result. Throws LeaseLost.
 *
 * Scheduled evaluations that end at the same time share their statements, and most of all those of which nobody has to be told.
 */
export async function storeEvaluation(
  lease: Lease,
  contract: EvaluatedContract,
  results: readonly MeasuredRule<EvaluatedRule>[],
  { executionTimeMs, cost }: { executionTimeMs: number; cost: RunCost | null },
): Promise<Stored> {
  const score = overallScore(results.map(({ rule, verdict }) => ({ ...rule, score: verdict.score })));
  const notEvaluatedBecause = reasonNotEvaluated(results);
  const run = { lease, contract, results, score, notEvaluatedBecause, executionTimeMs, cost };
  if (contract.trigger === "Scheduled") {
    const isQuiet =
      notEvaluatedBecause === null && cost === null && !isBelow(score, contract.failureThreshold);
    const quiet = { lease, contract, results, overallScore: score, executionTimeMs };
    const stored =
      isQuiet && canBeStoredTogether(results) && (await storeTogether(quiet).catch(goOnWithOthers));
    if (stored) return stored;
  }
  const stored = await store(run, { alone: contract.trigger !== "Scheduled" });
  if (!stored) throw new LeaseLost("The evaluation was taken over before it was stored");
  return stored;
}

/** Whatever lasts prevents it again when the evaluation is stored with all that may follow from it. */
function goOnWithOthers(err: unknown): null {
  if (!wereNotAllAdded(err))
    log.warn({ err }, "An evaluation that tells nobody anything could not be stored quickly");
  return null;
}

const store = storedAtOnce(storeEvaluations);

/**
 * Why the data source was unreachable, if that is why every rule failed: then nothing was measured, and the score of 0
 * says nothing about the data. Decided by the kind of failure, never by its message.
 */
function reasonNotEvaluated(results: readonly MeasuredRule<EvaluatedRule>[]): string | null {
  const isOutage = results.every(({ unreachableBecause }) => unreachableBecause !== null);
  return isOutage ? shownText(results[0]?.unreachableBecause ?? null) : null;
}
