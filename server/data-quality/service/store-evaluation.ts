import { eq, inArray, sql } from "drizzle-orm";
import type { RunCost } from "../../data-sources/cost.ts";
import type { SampleMode } from "../../data-sources/sample.ts";
import { projectOf } from "../../data-sources/service/same-project.ts";
import { trimSample } from "../../data-sources/trim-sample.ts";
import type { Transaction } from "../../db/client.ts";
import { sideBySide } from "../../db/in-one-go.ts";
import { jobTransaction } from "../../db/job-transaction.ts";
import { env } from "../../env.ts";
import { sendEvents } from "../../jobs/client.ts";
import { type Lease, LeaseLost } from "../../jobs/leases.ts";
import { sendInProject } from "../../realtime/service.ts";
import { type RecordedTask, recordFinding, recordRecovery } from "../../tasks/service/findings.ts";
import { isBelow } from "../alert-policy.ts";
import { evaluations, ruleResults, ruleSamples, ruleScores, sampleRequests } from "../evaluations/tables.ts";
import { evaluationStored } from "../events.ts";
import { foundSample } from "../read-sample.ts";
import { hasSample, readsSample } from "../rules/has-sample.ts";
import { overallScore, roundScore } from "../score.ts";
import { shownText, shownVerdict } from "../shown-verdict.ts";
import { contracts, rules } from "../tables.ts";
import type { EvaluatedContract, EvaluatedRule } from "./evaluated-contract.ts";
import { evaluationLeases } from "./leases.ts";
import type { MeasuredRule } from "./measurement-queue.ts";
import { notifyAlert } from "./notify-alert.ts";
import { canBeStoredTogether, storeTogether } from "./store-together.ts";
import { refreshTableScore } from "./table-scores.ts";

/**
 * Stores the evaluation with its rule results, each rule's score in its series, the table's latest score and trend, and
 * any alert, in one transaction. If the contract was edited meanwhile, rules that were changed no longer exist: of them
 * only the series are stored. If the data source was unreachable, the series get no point. Records and returns whether to
 * sample failing rows; that happens later and does not affect the result. Throws LeaseLost.
 */
export async function storeEvaluation(
  lease: Lease,
  contract: EvaluatedContract,
  results: readonly MeasuredRule<EvaluatedRule>[],
  { executionTimeMs, cost }: { executionTimeMs: number; cost: RunCost | null },
): Promise<{ wantsSamples: boolean }> {
  const score = overallScore(results.map(({ rule, verdict }) => ({ ...rule, score: verdict.score })));
  const notEvaluatedBecause = reasonNotEvaluated(results);
  const isCommon = contract.trigger === "Scheduled" && notEvaluatedBecause === null && cost === null;
  if (isCommon && canBeStoredTogether(results)) {
    const finished = { lease, contract, results, overallScore: score, executionTimeMs };
    // Whatever prevents it is found, and told, when the evaluation is stored on its own.
    const stored = await storeTogether(finished).catch(() => null);
    if (stored) return stored;
  }
  return storeAlone(lease, contract, results, { score, notEvaluatedBecause, executionTimeMs, cost });
}

type Outcome = {
  score: number;
  notEvaluatedBecause: string | null;
  executionTimeMs: number;
  cost: RunCost | null;
};

function storeAlone(
  lease: Lease,
  contract: EvaluatedContract,
  results: readonly MeasuredRule<EvaluatedRule>[],
  { score, notEvaluatedBecause, executionTimeMs, cost }: Outcome,
): Promise<{ wantsSamples: boolean }> {
  const passedCount = results.filter(({ verdict }) => verdict.passed).length;
  return jobTransaction(async (tx) => {
    const current = await complete(tx, lease, contract.id, {
      overallScore: score,
      passedCount,
      failedCount: results.length - passedCount,
      rulesDone: results.length,
      executionTimeMs,
      cost,
      notEvaluatedBecause,
    });
    const { evaluatedAt, scheduledFor } = current;
    const [unchanged, projectId] = await sideBySide(
      resultsOfUnchanged(tx, results),
      projectOf(tx, contract.dataSourceId),
      results.length > 0 &&
        notEvaluatedBecause === null &&
        tx.insert(ruleScores).values(results.map((result) => scoreRow(lease.id, evaluatedAt, result))),
    );
    const keepsSamples = current.archivedAt === null && current.samples !== "Off";
    const found = keepsSamples ? samplesIn(lease.id, unchanged, current.samples) : [];
    const wantsSamples =
      keepsSamples && unchanged.some(({ rule, verdict }) => hasSample(rule, verdict) && readsSample(rule));
    await sideBySide(
      unchanged.length > 0 &&
        tx
          .insert(ruleResults)
          .values(unchanged.map((result) => resultRow(lease.id, result, current.samples))),
      found.length > 0 && tx.insert(ruleSamples).values(found),
      wantsSamples && tx.insert(sampleRequests).values({ evaluationId: lease.id }),
      refreshTableScore(tx, contract),
    );
    // Last, because alerts send events.
    if (current.archivedAt === null && scheduledFor !== null) {
      const task = await updateTask(tx, current, projectId, {
        ...{ score, isMeasured: notEvaluatedBecause === null, at: evaluatedAt },
      });
      await notifyAlert(tx, current, {
        ...{ evaluationId: lease.id, table: contract, overallScore: score, passedCount },
        ...{ evaluatedAt, scheduledFor, notEvaluatedBecause },
        failed: results
          .filter(({ verdict }) => !verdict.passed)
          .map(({ rule: { key, name }, verdict }) => ({ key, name, ...verdict })),
        freeTaskId: task?.assigneeId === null ? task.taskId : null,
      });
    }
    if (current.requestedById !== null)
      await sendInProject(tx, projectId ?? 0, [current.requestedById], {
        name: "JobStatusChanged",
        data: { kind: "Evaluation", id: lease.id, status: "Completed" },
      });
    if (env().OPENLINEAGE_URL !== undefined)
      await sendEvents(
        tx,
        evaluationStored.create({ evaluationId: lease.id }, { id: `evaluation-stored-${lease.id}` }),
      );
    return { wantsSamples };
  });
}

/**
 * A scheduled score below the threshold opens the contract's task, also when nothing could be measured; only a measured
 * score at or above it resolves the task. Silence and recipients do not matter here. Returns the task that the score
 * was recorded in.
 */
async function updateTask(
  tx: Transaction,
  contract: { id: number; createTasks: boolean; failureThreshold: number },
  projectId: number | undefined,
  { score, isMeasured, at }: { score: number; isMeasured: boolean; at: Date },
): Promise<RecordedTask | null> {
  const { id: contractId, createTasks, failureThreshold } = contract;
  if (!isBelow(score, failureThreshold)) {
    if (isMeasured) await recordRecovery(tx, contractId, score, at);
    return null;
  }
  return !createTasks || projectId === undefined
    ? null
    : recordFinding(tx, { contractId, projectId }, { score }, at);
}

/** The results of rules that are still as they were measured; an edit gives a rule that it changes another id. */
async function resultsOfUnchanged(tx: Transaction, results: readonly MeasuredRule<EvaluatedRule>[]) {
  const ids = results.map(({ rule }) => rule.id);
  if (ids.length === 0) return [];
  const stored = await tx.select({ id: rules.id }).from(rules).where(inArray(rules.id, ids));
  const present = new Set(stored.map(({ id }) => id));
  return results.filter(({ rule }) => present.has(rule.id));
}

/** Completes the evaluation; returns the current contract, locked against edits. Throws LeaseLost. */
async function complete(
  tx: Transaction,
  lease: Lease,
  contractId: number,
  outcome: Partial<typeof evaluations.$inferInsert>,
) {
  const contract = tx.$with("contract").as(
    tx
      .select({
        id: contracts.id,
        name: contracts.name,
        alertOnFailure: contracts.alertOnFailure,
        failureThreshold: contracts.failureThreshold,
        reminderHours: contracts.reminderHours,
        timezone: contracts.timezone,
        createTasks: contracts.createTasks,
        ownerId: contracts.ownerId,
        isSilenced: sql<boolean>`coalesce(${contracts.silencedUntil} > clock_timestamp(), false)`.as(
          "is_silenced",
        ),
        archivedAt: contracts.archivedAt,
        samples: contracts.samples,
      })
      .from(contracts)
      .where(eq(contracts.id, contractId))
      .for("share"),
  );
  const [stored] = await tx
    .with(contract)
    .update(evaluations)
    .set({ ...outcome, status: "Completed", rulesRunning: [], evaluatedAt: sql`clock_timestamp()` })
    .from(contract)
    .where(evaluationLeases.isHeldBy(lease))
    .returning({
      id: contract.id,
      name: contract.name,
      alertOnFailure: contract.alertOnFailure,
      failureThreshold: contract.failureThreshold,
      reminderHours: contract.reminderHours,
      timezone: contract.timezone,
      createTasks: contract.createTasks,
      ownerId: contract.ownerId,
      isSilenced: contract.isSilenced,
      archivedAt: contract.archivedAt,
      samples: contract.samples,
      evaluatedAt: evaluations.evaluatedAt,
      scheduledFor: evaluations.scheduledFor,
      requestedById: evaluations.requestedById,
    });
  if (!stored?.evaluatedAt) throw new LeaseLost("The evaluation was taken over before it was stored");
  return { ...stored, evaluatedAt: stored.evaluatedAt };
}

/**
 * Why the data source was unreachable, if that is why every rule failed: then nothing was measured, and the score of 0
 * says nothing about the data. Decided by the kind of failure, never by its message.
 */
function reasonNotEvaluated(results: readonly MeasuredRule<EvaluatedRule>[]): string | null {
  const isOutage = results.every(({ unreachableBecause }) => unreachableBecause !== null);
  return isOutage ? shownText(results[0]?.unreachableBecause ?? null) : null;
}

function scoreRow(evaluationId: number, evaluatedAt: Date, { rule, verdict }: MeasuredRule<EvaluatedRule>) {
  const { key, contractId, position, name, type } = rule;
  return {
    ...{ evaluationId, key, contractId, evaluatedAt, position, name, type },
    passed: verdict.passed,
    score: roundScore(verdict.score),
    measured: verdict.measured?.toNumber() ?? null,
  };
}

/** The samples that measuring found. */
function samplesIn(
  evaluationId: number,
  results: readonly MeasuredRule<EvaluatedRule>[],
  mode: SampleMode,
): (typeof ruleSamples.$inferInsert)[] {
  return results.flatMap(({ rule, verdict }) => {
    const sample = verdict.sample && mode !== "Off" && trimSample(verdict.sample, foundSample(mode));
    return sample && sample.rows.length > 0 ? { evaluationId, ruleId: rule.id, sample } : [];
  });
}

function resultRow(
  evaluationId: number,
  { rule, verdict, executionTimeMs }: MeasuredRule<EvaluatedRule>,
  mode: SampleMode,
) {
  return {
    evaluationId,
    ruleId: rule.id,
    position: rule.position,
    ...shownVerdict(verdict, mode),
    executionTimeMs,
  };
}
