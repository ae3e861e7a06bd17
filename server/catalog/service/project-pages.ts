import { and, asc, desc, eq, inArray, isNotNull, isNull, sql } from "drizzle-orm";
import type { SignedIn } from "../../auth/principal.ts";
import { evaluations, ruleResults } from "../../data-quality/evaluations/tables.ts";
import { listContracts } from "../../data-quality/service/contracts.ts";
import { getOverview } from "../../data-quality/service/overview.ts";
import { contracts, rules } from "../../data-quality/tables.ts";
import { db } from "../../db/client.ts";
import { getProject } from "../../projects/service.ts";
import { schemaPageOf } from "../documentation.ts";
import { type FailingRule, qualityPageOf, reportOf } from "../quality-report.ts";
import type { pages } from "../schema.ts";

import { documentProject, documentSources } from "./document-sources.ts";

/** A page about a project, in Markdown. Throws not_found. */
export async function getPage(ctx: SignedIn, projectId: number, page: (typeof pages)[number]) {
  if (page === "documentation") return documentProject(ctx, { projectId });
  const { name } = await getProject(ctx, projectId);
  if (page === "schema") return { markdown: schemaPageOf(name, await documentSources(ctx, projectId)) };
  const overview = await getOverview(ctx, { projectId, historiesUpTo: 0 });
  if (page === "quality") return { markdown: qualityPageOf(name, overview) };
  const { items } = await listContracts(ctx, { projectId });
  const failing = await listFailingRules(items.map(({ id }) => id));
  return { markdown: reportOf(name, { overview, contracts: items, failing }) };
}

/** Failing rules of contracts the caller may see, as last measured, by contract and in its rules' order. */
async function listFailingRules(contractIds: number[]): Promise<FailingRule[]> {
  const latest = db
    .select({ id: evaluations.id })
    .from(evaluations)
    .where(
      and(
        eq(evaluations.contractId, contracts.id),
        isNotNull(evaluations.evaluatedAt),
        isNull(evaluations.notEvaluatedBecause),
      ),
    )
    .orderBy(desc(evaluations.evaluatedAt), desc(evaluations.id))
    .limit(1)
    .as("latest");
  return db
    .select({
      contractId: contracts.id,
      ruleName: rules.name,
      ruleType: rules.type,
      severity: rules.severity,
      score: ruleResults.score,
      expectedValue: ruleResults.expectedValue,
      actualValue: ruleResults.actualValue,
      message: ruleResults.message,
    })
    .from(contracts)
    .innerJoinLateral(latest, sql`true`)
    .innerJoin(ruleResults, eq(ruleResults.evaluationId, latest.id))
    .innerJoin(rules, eq(rules.id, ruleResults.ruleId))
    .where(and(inArray(contracts.id, contractIds), eq(ruleResults.passed, false)))
    .orderBy(asc(contracts.id), asc(ruleResults.position));
}
