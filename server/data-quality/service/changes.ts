import { and, asc, desc, eq, isNull, sql } from "drizzle-orm";
import type { SignedIn } from "../../auth/principal.ts";
import { db } from "../../db/client.ts";
import { Problem } from "../../errors.ts";
import { evaluations, ruleScores } from "../evaluations/tables.ts";
import { deltaOf, ruleChangesBetween, type Scored } from "../rule-changes.ts";
import { getEvaluation } from "./history.ts";

/**
 * What changed between two evaluations of a contract, by rule key; by default compared with the previous measured one.
 * There is nothing to compare for one that could not be evaluated. Throws not_found if the caller cannot access it,
 * conflict for an evaluation that is still running, and rejected for those of two contracts.
 */
export async function getChanges(
  ctx: SignedIn,
  { id, comparedWith }: { id: number; comparedWith?: number | undefined },
) {
  const { contractId } = await getEvaluation(ctx, id);
  if (comparedWith !== undefined && (await getEvaluation(ctx, comparedWith)).contractId !== contractId)
    throw new Problem("rejected", "The evaluations belong to different contracts");
  const [evaluation] = await completed(eq(evaluations.id, id));
  const [before] = await completed(
    comparedWith === undefined
      ? and(
          eq(evaluations.contractId, contractId),
          isNull(evaluations.notEvaluatedBecause),
          evaluation &&
            sql`(${evaluations.evaluatedAt}, ${evaluations.id}) < (${evaluation.evaluatedAt.toISOString()}, ${id})`,
        )
      : eq(evaluations.id, comparedWith),
  );
  if (!evaluation || (comparedWith !== undefined && !before))
    throw new Problem("conflict", "The evaluation is still running");
  return {
    evaluation,
    comparedWith: before ?? null,
    ...(before && !before.couldNotEvaluate && !evaluation.couldNotEvaluate
      ? {
          scoreDelta: deltaOf(before.overallScore, evaluation.overallScore),
          rules: await changesBetween(before, evaluation),
        }
      : { scoreDelta: null, rules: [] }),
  };
}

type Completed = Awaited<ReturnType<typeof completed>>[number];

/** The latest completed evaluation that matches, found directly by the index of the history. */
async function completed(which: ReturnType<typeof and>) {
  const rows = await db
    .select({
      id: evaluations.id,
      evaluatedAt: evaluations.evaluatedAt,
      overallScore: evaluations.overallScore,
      passedCount: evaluations.passedCount,
      failedCount: evaluations.failedCount,
      notEvaluatedBecause: evaluations.notEvaluatedBecause,
    })
    .from(evaluations)
    .where(and(which, eq(evaluations.status, "Completed")))
    .orderBy(desc(evaluations.evaluatedAt), desc(evaluations.id))
    .limit(1);
  return rows.flatMap(({ evaluatedAt, overallScore, notEvaluatedBecause, ...row }) =>
    evaluatedAt === null || overallScore === null
      ? []
      : { ...row, evaluatedAt, overallScore, couldNotEvaluate: notEvaluatedBecause !== null },
  );
}

async function changesBetween(before: Completed, after: Completed) {
  const [then, now] = await Promise.all([scoresOf(before.id), scoresOf(after.id)]);
  // Evaluations from before scores were kept have no data, so nothing counts as added or removed.
  const isKnown = (scores: Scored[], { passedCount, failedCount }: Completed) =>
    scores.length === passedCount + failedCount;
  return isKnown(then, before) && isKnown(now, after) ? ruleChangesBetween(then, now) : [];
}

function scoresOf(evaluationId: number): Promise<Scored[]> {
  return db
    .select({
      key: ruleScores.key,
      name: ruleScores.name,
      type: ruleScores.type,
      position: ruleScores.position,
      score: ruleScores.score,
      passed: ruleScores.passed,
      measured: ruleScores.measured,
    })
    .from(ruleScores)
    .where(eq(ruleScores.evaluationId, evaluationId))
    .orderBy(asc(ruleScores.position));
}
