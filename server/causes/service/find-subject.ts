import { and, asc, desc, eq, gte, isNotNull, isNull, or, sql } from "drizzle-orm";
import type { SignedIn } from "../../auth/principal.ts";
import { evaluations, ruleResults } from "../../data-quality/evaluations/tables.ts";
import { getContract } from "../../data-quality/service/contracts.ts";
import { getDataSource } from "../../data-sources/service/load-data-sources.ts";
import { db } from "../../db/client.ts";
import { Problem } from "../../errors.ts";
import { getFinding } from "../../findings/service/list-findings.ts";
import type { TableReference } from "../../incidents/schema.ts";
import { tablesReadBySubscription } from "../../incidents/service/describe-problems.ts";
import { getIncident } from "../../incidents/service/load-incidents.ts";
import { type ChangeScope, scopeOf } from "../../incidents/service/what-changed.ts";
import { isBlind } from "../../incidents/severity.ts";
import { incidentProblems } from "../../incidents/tables.ts";
import { getAnomaly } from "../../subscriptions/service/anomalies.ts";
import { getSubscription } from "../../subscriptions/service/subscriptions.ts";
import { executions } from "../../subscriptions/tables.ts";
import { tableAlerts, watchedTables } from "../../watch/tables.ts";
import type { WhyInput } from "../schema.ts";

/** What is explained: since when it is so, what it is about, and what failed. */
export type Subject = ChangeScope & {
  title: string;
  failures: Failure[];
  /** The problems of an incident, to tell which of them the others come from. */
  problems: {
    name: string;
    reason: string;
    tables: TableReference[];
    beganAt: Date;
    isTable: boolean;
    path: string;
  }[];
  /** What a check that could not run says. */
  errors: string[];
};

export type Failure =
  | { is: "Rule"; contractId: number; ruleId: number; name: string }
  | { is: "Finding"; id: number; name: string }
  | { is: "Result"; subscriptionId: number; name: string }
  | { is: "Alert"; alert: typeof tableAlerts.$inferSelect; table: typeof watchedTables.$inferSelect };

/** As many failing rules of a contract, and failures in all, are looked at. */
const max = { rules: 3, failures: 5 };

/** Throws not_found if the caller cannot access it, and rejected if nothing is wrong with it. */
export async function findSubject(ctx: SignedIn, asked: WhyInput): Promise<Subject> {
  const { incidentId, subscriptionId, anomalyId, contractId, ruleId, findingId } = asked;
  if (incidentId !== undefined) return ofIncident(ctx, incidentId);
  if (anomalyId !== undefined) {
    const { subscriptionId: id, detectedAt, explanation } = await getAnomaly(ctx, anomalyId);
    const subject = await ofSubscription(ctx, id, new Date(detectedAt));
    return { ...subject, title: `${subject.title}: ${explanation}` };
  }
  if (subscriptionId !== undefined) return ofSubscription(ctx, subscriptionId);
  if (contractId !== undefined) return ofContract(ctx, contractId, ruleId);
  if (findingId !== undefined) return ofFinding(ctx, findingId);
  const { dataSourceId, schemaName, tableName } = asked;
  if (dataSourceId === undefined || schemaName === undefined || tableName === undefined)
    throw new Problem("invalid", "Specify what to explain");
  return ofTable(ctx, { dataSourceId, schemaName, tableName });
}

const nothing = { problems: [], errors: [], incidentId: null, contractIds: [], subscriptionIds: [] };

async function ofIncident(ctx: SignedIn, id: number): Promise<Subject> {
  const incident = await getIncident(ctx, id);
  const current = incident.problems.filter(({ endedAt }) => endedAt === null);
  const problems = (current.length > 0 ? current : incident.problems).map((each) => ({
    ...each,
    beganAt: new Date(each.beganAt),
  }));
  const failures: Failure[] = [];
  for (const problem of problems) {
    if (failures.length >= max.failures) break;
    const { subject, subjectId, kind, name, beganAt } = problem;
    if (kind === "BelowThreshold") failures.push(...(await failingRules(ctx, subjectId)));
    else if (subject === "Table") failures.push(...(await alertsOf(subjectId, beganAt)));
    else if (kind === "Found" || kind === "Unusual")
      failures.push({ is: "Result", subscriptionId: subjectId, name });
  }
  return {
    ...(await scopeOf(incident)),
    title: incident.title,
    failures: failures.slice(0, max.failures),
    problems: incident.problems.map(({ name, reason, tables, beganAt, subject, path }) => ({
      ...{ name, reason, tables, beganAt: new Date(beganAt), isTable: subject === "Table", path },
    })),
    errors: problems.filter(({ kind }) => isBlind(kind)).map(({ reason }) => reason),
  };
}

async function ofSubscription(ctx: SignedIn, id: number, detectedAt?: Date): Promise<Subject> {
  const { name, queryName, projectId } = await getSubscription(ctx, id);
  const [last] = await db
    .select()
    .from(executions)
    .where(and(eq(executions.subscriptionId, id), isNotNull(executions.finishedAt)))
    .orderBy(desc(executions.executedAt), desc(executions.id))
    .limit(1);
  if (!last)
    throw new Problem("rejected", "This subscription has not run yet, so there is nothing to explain");
  const [problem] = await db
    .select({ beganAt: incidentProblems.beganAt, incidentId: incidentProblems.incidentId })
    .from(incidentProblems)
    .where(and(eq(incidentProblems.subscriptionId, id), isNull(incidentProblems.endedAt)));
  const couldNotRun = last.status === "Failed" || last.status === "Timeout";
  const { tables, dataSourceIds } = await tablesReadBySubscription(db, id);
  const title = name ?? queryName;
  return {
    ...nothing,
    ...{ title, projectId, tables, dataSourceIds, subscriptionIds: [id] },
    began: detectedAt ?? problem?.beganAt ?? last.executedAt,
    incidentId: problem?.incidentId ?? null,
    failures: couldNotRun ? [] : [{ is: "Result", subscriptionId: id, name: title }],
    errors: couldNotRun && last.errorMessage !== null ? [last.errorMessage] : [],
  };
}

async function ofContract(ctx: SignedIn, id: number, ruleId?: number): Promise<Subject> {
  const { name, dataSourceId, schemaName, tableName, rules } = await getContract(ctx, id);
  const { projectId } = await getDataSource(ctx, dataSourceId);
  const rule = rules.find((each) => each.id === ruleId);
  if (ruleId !== undefined && !rule) throw new Problem("not_found", "Rule not found");
  const failures: Failure[] = rule
    ? [{ is: "Rule", contractId: id, ruleId: rule.id, name: rule.name }]
    : await failingRules(ctx, id);
  return {
    ...nothing,
    ...{ projectId, tables: [{ dataSourceId, schemaName, tableName }], dataSourceIds: [dataSourceId] },
    ...{ contractIds: [id], failures, title: rule ? `${name}: ${rule.name}` : name },
    began: await failingSince(id, ruleId),
  };
}

/** When the rule, or the contract's score, was first bad after it was last good; now if it was never evaluated. */
async function failingSince(contractId: number, ruleId: number | undefined): Promise<Date> {
  const isBad =
    ruleId === undefined
      ? sql<boolean>`exists (select from ${ruleResults} as result where result.evaluation_id = ${evaluations.id} and not result.passed)`
      : sql<boolean>`exists (select from ${ruleResults} as result where result.evaluation_id = ${evaluations.id}
          and result.rule_id = ${ruleId} and not result.passed)`;
  const rows = await db
    .select({ at: evaluations.evaluatedAt, isBad })
    .from(evaluations)
    .where(and(eq(evaluations.contractId, contractId), isNotNull(evaluations.evaluatedAt)))
    .orderBy(desc(evaluations.evaluatedAt), desc(evaluations.id))
    .limit(500);
  const good = rows.findIndex((each) => !each.isBad);
  const bad = (good < 0 ? rows : rows.slice(0, good)).at(-1) ?? rows[0];
  return bad?.at ?? new Date();
}

/** The rules that failed in the latest evaluation, worst first. */
async function failingRules(ctx: SignedIn, contractId: number): Promise<Failure[]> {
  const { rules } = await getContract(ctx, contractId);
  const [latest] = await db
    .select({ id: evaluations.id })
    .from(evaluations)
    .where(and(eq(evaluations.contractId, contractId), isNotNull(evaluations.evaluatedAt)))
    .orderBy(desc(evaluations.evaluatedAt), desc(evaluations.id))
    .limit(1);
  if (!latest) return [];
  const failed = await db
    .select({ ruleId: ruleResults.ruleId })
    .from(ruleResults)
    .where(
      and(
        eq(ruleResults.evaluationId, latest.id),
        eq(ruleResults.passed, false),
        eq(ruleResults.couldRun, true),
      ),
    )
    .orderBy(asc(ruleResults.score), asc(ruleResults.position))
    .limit(max.rules);
  return failed.flatMap(({ ruleId }) => {
    const rule = rules.find(({ id }) => id === ruleId);
    return rule ? [{ is: "Rule" as const, contractId, ruleId, name: rule.name }] : [];
  });
}

async function ofFinding(ctx: SignedIn, id: number): Promise<Subject> {
  const { dataSourceId, schemaName, tableName, statement, firstSeenAt } = await getFinding(ctx, id);
  const { projectId } = await getDataSource(ctx, dataSourceId);
  return {
    ...nothing,
    ...{ projectId, tables: [{ dataSourceId, schemaName, tableName }], dataSourceIds: [dataSourceId] },
    ...{ title: `${schemaName}.${tableName}: ${statement}`, began: new Date(firstSeenAt) },
    failures: [{ is: "Finding", id, name: statement }],
  };
}

async function ofTable(ctx: SignedIn, name: TableReference): Promise<Subject> {
  const { projectId } = await getDataSource(ctx, name.dataSourceId);
  const [table] = await db
    .select()
    .from(watchedTables)
    .where(
      and(
        eq(watchedTables.dataSourceId, name.dataSourceId),
        eq(watchedTables.schemaName, name.schemaName),
        eq(watchedTables.tableName, name.tableName),
      ),
    );
  if (!table) throw new Problem("rejected", "This table is not watched");
  const failures = await alertsOf(table.id, new Date());
  if (failures.length === 0) throw new Problem("rejected", "Nothing is unusual about this table now");
  const moments = failures.flatMap((each) => (each.is === "Alert" ? each.alert.openedAt.getTime() : []));
  const [problem] = await db
    .select({ incidentId: incidentProblems.incidentId })
    .from(incidentProblems)
    .where(and(eq(incidentProblems.tableId, table.id), isNull(incidentProblems.endedAt)));
  return {
    ...nothing,
    ...{ projectId, tables: [name], dataSourceIds: [name.dataSourceId], failures },
    incidentId: problem?.incidentId ?? null,
    title: `${name.schemaName}.${name.tableName}`,
    began: new Date(Math.min(...moments)),
  };
}

/** What is unusual about a table, worst first: now, or at some time since. */
async function alertsOf(tableId: number, since: Date): Promise<Failure[]> {
  const rows = await db
    .select({ alert: tableAlerts, table: watchedTables })
    .from(tableAlerts)
    .innerJoin(watchedTables, eq(watchedTables.id, tableAlerts.tableId))
    .where(
      and(
        eq(tableAlerts.tableId, tableId),
        isNull(tableAlerts.expectedAt),
        or(isNull(tableAlerts.endedAt), gte(tableAlerts.endedAt, since)),
      ),
    )
    .orderBy(asc(tableAlerts.kind), desc(tableAlerts.openedAt))
    .limit(max.rules);
  return rows.map((each) => ({ is: "Alert" as const, ...each }));
}
