import { and, asc, desc, eq, inArray, isNotNull, isNull, sql } from "drizzle-orm";
import type { SignedIn } from "../auth/principal.ts";
import { listContracts } from "../data-quality/service/contracts.ts";
import { getOverview } from "../data-quality/service/overview.ts";
import { contracts, evaluations, ruleResults, rules } from "../data-quality/tables.ts";
import { loadDescriptions } from "../data-sources/service/descriptions.ts";
import { getDataSource, getSchema, listDataSources } from "../data-sources/service.ts";
import { db } from "../db/client.ts";
import { Problem, problemIn } from "../errors.ts";
import { getProject } from "../projects/service.ts";
import { type DocumentedSource, documentationOf, roomOfFile, schemaPageOf } from "./documentation.ts";
import { type FailingRule, qualityPageOf, reportOf } from "./quality-report.ts";
import type { CatalogTable, ProjectOverview, pages } from "./schema.ts";

type Part = { schemaName?: string | undefined; tableName?: string | undefined };

/** So many tables the overview tells, shared out among the data sources; the documentation has the others. */
const mostTables = 300;

/** A project at a glance: its data sources, their tables and how good these are. Throws not_found. */
export async function getProjectOverview(ctx: SignedIn, projectId: number): Promise<ProjectOverview> {
  const { id, name, description } = await getProject(ctx, projectId);
  const [{ items }, quality] = await Promise.all([
    listDataSources(ctx, { projectId }),
    getOverview(ctx, { projectId }),
  ]);
  const share = Math.max(10, Math.floor(mostTables / items.length));
  const dataSources = await Promise.all(
    items.map(async (source) => {
      const scored = quality.items.find(({ dataSourceId }) => dataSourceId === source.id);
      const { tables, unavailable } = await documentSource(ctx, source, quality);
      return {
        ...{ id: source.id, name: source.name, kind: source.kind, unavailable },
        averageScore: scored?.measured.averageScore ?? null,
        activeContractCount: scored?.activeContractCount ?? 0,
        tableCount: tables.length,
        tables: tables
          .slice(0, share)
          .map(({ comment: _, description: __, columns: ___, ...table }) => table),
      };
    }),
  );
  return { project: { id, name, description }, dataSources };
}

/**
 * A data source's tables in Markdown, or those of one schema, or one table. Throws not_found, source_unreachable
 * and source_timeout.
 */
export async function documentDataSource(ctx: SignedIn, { id, ...part }: { id: number } & Part) {
  const { name, documented } = await documentPart(ctx, { id, ...part });
  return { dataSourceId: id, dataSourceName: name, markdown: documentationOf(name, documented) };
}

async function documentPart(ctx: SignedIn, { id, ...part }: { id: number } & Part) {
  const source = await getDataSource(ctx, id);
  // What stands in its way is told to whoever has asked for this one.
  await getSchema(ctx, id);
  const quality = await getOverview(ctx, { dataSourceId: id });
  return {
    name: source.name,
    documented: narrowed([await documentSource(ctx, source, quality)], part),
  };
}

type Export = Part & { projectId?: number | undefined; dataSourceId?: number | undefined };
type ProjectPart = Part & { projectId: number; dataSourceName?: string | undefined };

/** The same of a whole project, or of its data sources by one name. Throws not_found. */
export async function documentProject(ctx: SignedIn, { projectId, dataSourceName, ...part }: ProjectPart) {
  const { name } = await getProject(ctx, projectId);
  const documented = await documentSources(ctx, projectId, dataSourceName);
  return { markdown: documentationOf(name, narrowed(documented, part)) };
}

/** A page about a project, in Markdown. Throws not_found. */
export async function getPage(ctx: SignedIn, projectId: number, page: (typeof pages)[number]) {
  if (page === "documentation") return documentProject(ctx, { projectId });
  const { name } = await getProject(ctx, projectId);
  if (page === "schema") return { markdown: schemaPageOf(name, await documentSources(ctx, projectId)) };
  const overview = await getOverview(ctx, { projectId });
  if (page === "quality") return { markdown: qualityPageOf(name, overview) };
  const { items } = await listContracts(ctx, { projectId });
  const failing = await listFailingRules(items.map(({ id }) => id));
  return { markdown: reportOf(name, { overview, contracts: items, failing }) };
}

/**
 * All there is to say of a data source's tables, of one of its schemas or tables, of a project, or of everything
 * that the caller may see; for a file, and so without the limits that an assistant needs. Throws like the above.
 */
export async function exportDocumentation(ctx: SignedIn, { projectId, dataSourceId, ...part }: Export) {
  if (dataSourceId !== undefined) {
    const { name, documented } = await documentPart(ctx, { id: dataSourceId, ...part });
    return { markdown: documentationOf(name, documented, roomOfFile) };
  }
  const name = projectId === undefined ? "Catalogue" : (await getProject(ctx, projectId)).name;
  const documented = await documentSources(ctx, projectId);
  return { markdown: documentationOf(name, documented, roomOfFile) };
}

async function documentSources(ctx: SignedIn, projectId?: number, dataSourceName?: string) {
  const { items } = await listDataSources(ctx, { projectId });
  const meant = items.filter(({ name }) => name === (dataSourceName ?? name));
  if (meant.length === 0 && dataSourceName !== undefined)
    throw new Problem("not_found", "Data source not found");
  const quality = await getOverview(ctx, { projectId });
  return Promise.all(meant.map((source) => documentSource(ctx, source, quality)));
}

type Source = { id: number; name: string; kind: string };
type Quality = Awaited<ReturnType<typeof getOverview>>;

/** One that cannot be reached is documented as that: the others shall not suffer for it. */
async function documentSource(ctx: SignedIn, source: Source, quality: Quality): Promise<DocumentedSource> {
  const { id, name, kind } = source;
  const [{ items, unavailable }, described] = await Promise.all([
    getSchema(ctx, id).then(
      (schema) => ({ items: schema.items, unavailable: null }),
      (error) => ({ items: [], unavailable: reasonOf(error) }),
    ),
    loadDescriptions(id),
  ]);
  const nameIn = (each: { schemaName: string; tableName: string }, columnName: string | null) =>
    JSON.stringify([each.schemaName, each.tableName, columnName]);
  const descriptionOf = new Map(described.map((each) => [nameIn(each, each.columnName), each.description]));
  const scores = quality.items.find(({ dataSourceId }) => dataSourceId === id)?.tables ?? [];
  const keyOf = (table: { schemaName: string; tableName: string }) =>
    JSON.stringify([table.schemaName, table.tableName]);
  const scoreOf = new Map(scores.map((score) => [keyOf(score), score]));
  const tables = items.flatMap(({ schemaName, tables }) =>
    tables.map(({ tableName, kind, rowEstimate, comment, columns }) => {
      const score = scoreOf.get(keyOf({ schemaName, tableName }));
      const facts: CatalogTable = {
        ...{ schemaName, tableName, kind, rowEstimate },
        qualityScore: score?.measured?.score ?? null,
        trend: score?.measured?.trend ?? null,
      };
      const saidOf = (columnName: string | null) =>
        descriptionOf.get(nameIn({ schemaName, tableName }, columnName)) ?? null;
      return {
        ...{ ...facts, comment, description: saidOf(null) },
        columns: columns.map((column) => ({ ...column, description: saidOf(column.name) })),
      };
    }),
  );
  return { name, kind, unavailable, tables };
}

function reasonOf(error: unknown): string {
  const problem = problemIn(error);
  if (!problem) throw error;
  return problem.detail;
}

/** The tables that are asked for; throws not_found where there is none of that name. */
function narrowed(sources: readonly DocumentedSource[], { schemaName, tableName }: Part): DocumentedSource[] {
  if (schemaName === undefined && tableName === undefined) return [...sources];
  const found = sources.map((source) => ({
    ...source,
    tables: source.tables.filter(
      (each) =>
        each.schemaName === (schemaName ?? each.schemaName) &&
        each.tableName === (tableName ?? each.tableName),
    ),
  }));
  const withTables = found.filter(({ tables }) => tables.length > 0);
  if (withTables.length === 0)
    throw new Problem("not_found", tableName === undefined ? "Schema not found" : "Table not found");
  return withTables;
}

/** Of contracts that the caller may see, as last measured, in their rules' order. */
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
