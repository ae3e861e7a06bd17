import { asc, eq } from "drizzle-orm";
import { findDatabase } from "../../data-sources/service/load-data-sources.ts";
import { db } from "../../db/client.ts";
import { derivedKey } from "../../db/encryption.ts";
import { env, publicUrl, type Settings } from "../../env.ts";
import { postJson } from "../../notifications/channels/post.ts";
import { datasetOf } from "../../reported-events/datasets.ts";
import { log } from "../../telemetry/log.ts";
import { type EvaluationRun, runEvents } from "../evaluation-run.ts";
import { evaluations, ruleResults } from "../evaluations/tables.ts";
import { contracts, rules } from "../tables.ts";

const timeoutMs = 20_000;

/**
 * Sends the run events of an evaluation to the OpenLineage service of the settings. Throws if it is worth another
 * attempt; what it refuses for good is logged.
 */
export async function sendEvaluationRun(
  id: number,
  settings: Settings = env(),
): Promise<{ sent: true } | { skipped: string }> {
  const { OPENLINEAGE_URL: base, OPENLINEAGE_ENDPOINT: path, OPENLINEAGE_API_KEY: apiKey } = settings;
  if (base === undefined) return { skipped: "OPENLINEAGE_URL is not set" };
  const run = await loadRun(id);
  if (run === null) return { skipped: "The evaluation no longer exists" };
  const url = `${base.replace(/\/+$/, "")}/${path.replace(/^\/+/, "")}`;
  const headers: Record<string, string> = apiKey ? { authorization: `Bearer ${apiKey}` } : {};
  const ours = { producer: publicUrl(), key: derivedKey("OpenLineage runs") };
  for (const event of runEvents(run, ours)) {
    const outcome = await postJson({ url, headers, body: JSON.stringify(event), timeoutMs });
    if (outcome.isSent) continue;
    if (!outcome.isFinal) throw new Error(`OpenLineage: ${outcome.reason}`);
    log.warn({ evaluationId: id, reason: outcome.reason }, "An OpenLineage event was refused");
    return { skipped: outcome.reason };
  }
  return { sent: true };
}

async function loadRun(id: number): Promise<EvaluationRun | null> {
  const [found] = await db
    .select({ evaluation: evaluations, contractName: contracts.name })
    .from(evaluations)
    .innerJoin(contracts, eq(contracts.id, evaluations.contractId))
    .where(eq(evaluations.id, id));
  if (!found) return null;
  const { evaluation, contractName } = found;
  const source = await findDatabase(evaluation.dataSourceId);
  if (evaluation.evaluatedAt === null || source === null) return null;
  const results = await db
    .select({
      ...{ name: rules.name, type: rules.type, column: rules.column, severity: rules.severity },
      ...{ weight: rules.weight, passed: ruleResults.passed, score: ruleResults.score },
      ...{ expectedValue: ruleResults.expectedValue, actualValue: ruleResults.actualValue },
      message: ruleResults.message,
    })
    .from(ruleResults)
    .innerJoin(rules, eq(rules.id, ruleResults.ruleId))
    .where(eq(ruleResults.evaluationId, id))
    .orderBy(asc(ruleResults.position));
  const { contractId, startedAt, evaluatedAt, notEvaluatedBecause } = evaluation;
  return {
    ...{ id, contractId, contractName, startedAt, evaluatedAt, notEvaluatedBecause, results },
    namespace: env().OPENLINEAGE_NAMESPACE,
    dataset: datasetOf(source, evaluation),
  };
}
