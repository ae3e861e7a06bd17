import { and, asc, desc, eq, inArray, isNull, type SQL, sql } from "drizzle-orm";
import type { SignedIn } from "../../auth/principal.ts";
import { db } from "../../db/client.ts";
import { Problem } from "../../errors.ts";
import type { GroupResults } from "../evaluations/schema.ts";
import { evaluations, ruleResults } from "../evaluations/tables.ts";
import { maxKeptGroups, maxListedGroups } from "../keep-groups.ts";
import { contracts, rules } from "../tables.ts";
import { getContractTarget, requireVisibleSource } from "./load-contracts.ts";

/** A contract's completed evaluations, newest first. Results of rules that were edited since are gone. */
export async function listEvaluations(ctx: SignedIn, contractId: number, take: number) {
  await getContractTarget(ctx, contractId);
  const isTold = and(eq(evaluations.contractId, contractId), eq(evaluations.status, "Completed"));
  return { items: await loadEvaluations(isTold, take, maxListedGroups) };
}

/** One evaluation, with its progress while it runs. Throws not_found, also if its contract is archived. */
export async function getEvaluation(ctx: SignedIn, id: number) {
  const [[evaluation], [contract]] = await Promise.all([
    loadEvaluations(eq(evaluations.id, id), 1, maxKeptGroups),
    db
      .select({ dataSourceId: contracts.dataSourceId })
      .from(contracts)
      .innerJoin(evaluations, eq(evaluations.contractId, contracts.id))
      .where(and(eq(evaluations.id, id), isNull(contracts.archivedAt))),
  ]);
  const notFound = () => new Problem("not_found", "Evaluation not found");
  if (!evaluation || !contract) throw notFound();
  await requireVisibleSource(ctx, contract.dataSourceId, notFound);
  return evaluation;
}

async function loadEvaluations(which: SQL | undefined, take: number, maxGroups: number) {
  const rows = await db
    .select()
    .from(evaluations)
    .where(which)
    .orderBy(desc(evaluations.evaluatedAt), desc(evaluations.id))
    .limit(take);
  const results = await loadResults(
    rows.map(({ id }) => id),
    maxGroups,
  );
  return rows.map(({ id, contractId, trigger, status, rulesDone, rulesTotal, rulesRunning, ...row }) => ({
    id,
    contractId,
    version: row.version,
    trigger,
    status,
    progress: { done: rulesDone, total: rulesTotal, running: rulesRunning },
    overallScore: row.overallScore,
    passedCount: row.passedCount,
    failedCount: row.failedCount,
    executionTimeMs: row.executionTimeMs,
    cost: row.cost,
    evaluatedAt: row.evaluatedAt,
    couldNotEvaluate: row.notEvaluatedBecause !== null,
    notEvaluatedBecause: row.notEvaluatedBecause,
    ruleResults: results.get(id) ?? [],
  }));
}

/** Rule results by evaluation, each in the contract's order. */
async function loadResults(evaluationIds: number[], maxGroups: number) {
  const rows = await db
    .select({
      evaluationId: ruleResults.evaluationId,
      result: {
        ruleId: rules.id,
        ruleName: rules.name,
        ruleType: rules.type,
        severity: rules.severity,
        weight: rules.weight,
        passed: ruleResults.passed,
        couldRun: ruleResults.couldRun,
        score: ruleResults.score,
        expectedValue: ruleResults.expectedValue,
        actualValue: ruleResults.actualValue,
        failing: ruleResults.failing,
        groups: sql<GroupResults | null>`jsonb_set(${ruleResults.groups}, '{worst}',
          jsonb_path_query_array(${ruleResults.groups}, ${`$.worst[0 to ${maxGroups - 1}]`}::jsonpath))`,
        message: ruleResults.message,
        knownFailures: ruleResults.knownFailures,
        executionTimeMs: ruleResults.executionTimeMs,
      },
    })
    .from(ruleResults)
    .innerJoin(rules, eq(rules.id, ruleResults.ruleId))
    .where(inArray(ruleResults.evaluationId, evaluationIds))
    .orderBy(asc(ruleResults.position));
  const grouped = Map.groupBy(rows, (row) => row.evaluationId);
  return new Map([...grouped].map(([id, own]) => [id, own.map(({ result }) => result)]));
}
