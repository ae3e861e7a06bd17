import { and, asc, eq, inArray, isNull, sql } from "drizzle-orm";
import type { SignedIn } from "../../auth/principal.ts";
import { listContractsOf } from "../../data-quality/service/load-contracts.ts";
import { listRuleStates } from "../../data-quality/service/rule-states.ts";
import { getTableQuality } from "../../data-quality/service/shown-scores.ts";
import { dialectOf } from "../../data-sources/dialects/dialects.ts";
import { isDatabaseKind, type Kind } from "../../data-sources/kinds.ts";
import { loadDescriptions, type StoredDescription } from "../../data-sources/service/descriptions.ts";
import { findKnownTable } from "../../data-sources/service/known-tables.ts";
import { getDataSource } from "../../data-sources/service/load-data-sources.ts";
import { loadTags } from "../../data-sources/service/table-tags.ts";
import type { Named } from "../../data-sources/table-key.ts";
import { db } from "../../db/client.ts";
import { Problem } from "../../errors.ts";
import { namesTable, needleOf } from "../../queries/named-in-sql.ts";
import { listFolders } from "../../queries/service/folders.ts";
import { queries, querySteps, queryVersions } from "../../queries/tables.ts";
import { subscriptions } from "../../subscriptions/tables.ts";

/** What fits on a page. */
const limits = { contracts: 20, queries: 100, references: 200 };

type Wanted = Named & { dataSourceId: number };

/**
 * A table with everything known about it: columns, descriptions, quality, rules, and the queries that use it. If it was
 * missing when the schema was last read, or the schema was never read, its descriptions and contracts are still
 * returned. Throws not_found if nothing is known about it.
 */
export async function getTable(ctx: SignedIn, { dataSourceId, ...name }: Wanted) {
  const source = await getDataSource(ctx, dataSourceId);
  const { id, kind, projectId } = source;
  if (!isDatabaseKind(kind)) throw new Problem("not_found", "Table not found");
  const [known, described, watching, readers, tagsOf] = await Promise.all([
    findKnownTable(id, name),
    loadDescriptions(id, name),
    listContractsOf(ctx, source, name),
    listReaders(ctx, source, name),
    loadTags(db, [id]),
  ]);
  const quality = await getTableQuality(source, name, watching);
  const table = known?.table ?? null;
  const tags = [...tagsOf({ dataSourceId: id, ...name })];
  if (known && !table && described.length === 0 && watching.length === 0 && tags.length === 0)
    throw new Problem("not_found", "Table not found");

  const wordsOf = (columnName: string | null) => saidBy(described.find((d) => d.columnName === columnName));
  const columns = table?.columns ?? [];
  const former = described.filter(
    ({ columnName }) => columnName !== null && !columns.some((column) => column.name === columnName),
  );
  return {
    dataSource: { id, name: source.name, kind, projectId },
    ...name,
    readAt: known?.readAt ?? null,
    isThere: table !== null,
    kind: table?.kind ?? null,
    rowEstimate: table?.rowEstimate ?? null,
    comment: table?.comment ?? null,
    description: wordsOf(null),
    tags,
    columns: columns.map((column) => ({ ...column, description: wordsOf(column.name) })),
    formerColumns: former.flatMap((words) => {
      const description = saidBy(words);
      return description && words.columnName !== null ? { name: words.columnName, description } : [];
    }),
    quality,
    contracts: watching.slice(0, limits.contracts),
    rules: await rulesOf(ctx, watching.slice(0, limits.contracts)),
    queries: readers.slice(0, limits.queries),
    queryCount: readers.length,
    referredBy: (known?.referredBy ?? []).slice(0, limits.references),
  };
}

function saidBy(words: StoredDescription | undefined) {
  if (!words) return null;
  const { description, updatedAt, updatedBy } = words;
  return { text: description, updatedAt, updatedBy };
}

type Contract = Awaited<ReturnType<typeof listContractsOf>>[number];

/** The contracts' rules in order, each with its result in the latest evaluation. */
async function rulesOf(ctx: SignedIn, watching: readonly Contract[]) {
  const states = await Promise.all(watching.map(({ id }) => listRuleStates(ctx, id)));
  return watching.flatMap(({ id: contractId, name: contractName, rules }, at) =>
    rules.map(({ id, name, type, column, severity, enabled }) => {
      const state = states[at]?.items.find(({ ruleId }) => ruleId === id);
      return {
        ...{ id, contractId, contractName, name, type, column, severity, enabled },
        verdict: state
          ? {
              passed: state.passed,
              score: state.score,
              since: state.since.evaluatedAt,
              evaluatedAt: state.evaluatedAt,
            }
          : null,
      };
    }),
  );
}

type Source = { id: number; kind: Kind; projectId: number };

/** Queries whose active SQL mentions the table, by name, with their subscriptions. */
async function listReaders(ctx: SignedIn, { id, kind, projectId }: Source, table: Named) {
  const dialect = dialectOf(kind);
  if (dialect === null) return [];
  const steps = await db
    .select({ id: queries.id, name: queries.name, folderId: queries.folderId, sql: querySteps.sql })
    .from(querySteps)
    .innerJoin(queryVersions, eq(queryVersions.id, querySteps.versionId))
    .innerJoin(queries, eq(queries.id, queryVersions.queryId))
    .where(
      and(
        eq(querySteps.dataSourceId, id),
        eq(queryVersions.status, "Active"),
        isNull(queries.archivedAt),
        // A cheap filter first: only SQL that contains the name at all is parsed.
        sql`strpos(lower(${querySteps.sql}), lower(${needleOf(table.tableName)})) > 0`,
      ),
    )
    .orderBy(asc(queries.name), asc(queries.id));
  const reading = steps.filter(({ sql }) => sql !== null && namesTable(sql, dialect, table));
  const found = [...new Map(reading.map((step) => [step.id, step])).values()];
  if (found.length === 0) return [];
  const [folders, running] = await Promise.all([
    listFolders(ctx, { projectId }),
    db
      .select({
        id: subscriptions.id,
        queryId: subscriptions.queryId,
        cronExpression: subscriptions.cronExpression,
        timezone: subscriptions.timezone,
        enabled: subscriptions.enabled,
      })
      .from(subscriptions)
      .where(
        and(
          inArray(
            subscriptions.queryId,
            found.map((query) => query.id),
          ),
          isNull(subscriptions.archivedAt),
        ),
      )
      .orderBy(asc(subscriptions.id)),
  ]);
  const pathOf = new Map(folders.items.map((folder) => [folder.id, folder.path]));
  const runs = Map.groupBy(running, ({ queryId }) => queryId);
  return found.map(({ id, name, folderId }) => ({
    ...{ id, name },
    folderPath: folderId === null ? null : (pathOf.get(folderId) ?? null),
    subscriptions: (runs.get(id) ?? []).map(({ queryId: _, ...subscription }) => subscription),
  }));
}
