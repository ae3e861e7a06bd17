import { and, asc, desc, eq, inArray, isNotNull, isNull, ne, sql } from "drizzle-orm";
import { contracts, evaluations } from "../../data-quality/tables.ts";
import { dialectOf } from "../../data-sources/dialects/dialects.ts";
import { isDatabaseKind } from "../../data-sources/schema.ts";
import { findKnownTable, listKnownTables } from "../../data-sources/service/known-tables.ts";
import { dataSources } from "../../data-sources/tables.ts";
import type { Connection } from "../../db/client.ts";
import { namesTable, needleOf } from "../../queries/named-in-sql.ts";
import { findSubscriptionTitles } from "../../queries/service/subscription-titles.ts";
import { querySteps, queryVersions } from "../../queries/tables.ts";
import { anomalies, executions, subscriptionIncidents, subscriptions } from "../../subscriptions/tables.ts";
import { plural } from "../../text.ts";
import { tableAlerts, watchedTables, watches } from "../../watch/tables.ts";
import { keyOf } from "../grouping.ts";
import { belowThresholdWords, failedWords, notEvaluatedWords, stalledWords } from "../in-words.ts";
import type { ProblemKind, Subject, TableReference } from "../schema.ts";

export type Described = {
  name: string;
  reason: string;
  dataSourceIds: number[];
  tables: TableReference[];
};

/** What a subscription, contract, or table is called, what it reads, and what is wrong with it, by its last run. */
export function describeProblem(
  tx: Connection,
  { subject, subjectId, kind }: { subject: Subject; subjectId: number; kind: ProblemKind },
): Promise<Described> {
  if (subject === "Table") return describeTable(tx, subjectId);
  return subject === "Contract" ? describeContract(tx, subjectId) : describeSubscription(tx, subjectId, kind);
}

/** By its worst alert, and how many more there are. */
async function describeTable(tx: Connection, tableId: number): Promise<Described> {
  const alerts = await tx
    .select({ table: watchedTables, sentence: tableAlerts.sentence })
    .from(watchedTables)
    .innerJoin(tableAlerts, eq(tableAlerts.tableId, watchedTables.id))
    .where(and(eq(watchedTables.id, tableId), isNull(tableAlerts.endedAt), isNull(tableAlerts.expectedAt)))
    .orderBy(asc(tableAlerts.kind), desc(tableAlerts.openedAt));
  const [first, ...others] = alerts;
  if (!first) throw new Error("A table with a problem has no alert");
  const { dataSourceId, schemaName, tableName } = first.table;
  return {
    name: `${schemaName}.${tableName}`,
    reason: others.length === 0 ? first.sentence : `${first.sentence}, and ${others.length} more`,
    dataSourceIds: [dataSourceId],
    tables: [{ dataSourceId, schemaName, tableName }],
  };
}

async function describeContract(tx: Connection, contractId: number): Promise<Described> {
  const [found] = await tx
    .select({
      name: contracts.name,
      threshold: contracts.failureThreshold,
      dataSourceId: contracts.dataSourceId,
      schemaName: contracts.schemaName,
      tableName: contracts.tableName,
      score: evaluations.overallScore,
      because: evaluations.notEvaluatedBecause,
    })
    .from(contracts)
    .innerJoin(evaluations, eq(evaluations.contractId, contracts.id))
    .where(and(eq(contracts.id, contractId), isNotNull(evaluations.evaluatedAt)))
    .orderBy(desc(evaluations.evaluatedAt), desc(evaluations.id))
    .limit(1);
  if (!found) throw new Error("A contract with a problem was never evaluated");
  const { name, score, threshold, because, ...table } = found;
  return {
    name,
    reason: because === null ? belowThresholdWords(score ?? 0, threshold) : notEvaluatedWords(because),
    dataSourceIds: [table.dataSourceId],
    tables: [table],
  };
}

async function describeSubscription(
  tx: Connection,
  subscriptionId: number,
  kind: ProblemKind,
): Promise<Described> {
  const titles = await findSubscriptionTitles([subscriptionId], tx);
  return {
    name: titles.get(subscriptionId) ?? "",
    reason: await reasonOf(tx, subscriptionId, kind),
    ...(await tablesReadBy(tx, subscriptionId)),
  };
}

async function reasonOf(tx: Connection, subscriptionId: number, kind: ProblemKind): Promise<string> {
  if (kind === "Stalled") {
    const [incident] = await tx
      .select({ reason: subscriptionIncidents.reason })
      .from(subscriptionIncidents)
      .where(
        and(
          eq(subscriptionIncidents.subscriptionId, subscriptionId),
          eq(subscriptionIncidents.kind, "Stalled"),
          sql`${subscriptionIncidents.closedAt} is null`,
        ),
      );
    return stalledWords(incident?.reason ?? "");
  }
  const [last] = await tx
    .select({
      status: executions.status,
      error: executions.errorMessage,
      rows: executions.rowCount,
      explanation: anomalies.explanation,
    })
    .from(executions)
    .leftJoin(anomalies, eq(anomalies.executionId, executions.id))
    .where(and(eq(executions.subscriptionId, subscriptionId), ne(executions.status, "Created")))
    .orderBy(desc(executions.executedAt), desc(executions.id))
    .limit(1);
  if (kind === "Unusual") return last?.explanation ?? "";
  if (kind === "Found") return last?.rows ? `${plural(last.rows, "row")} found` : "Nothing found";
  return failedWords(last?.status === "Timeout" ? "Timeout" : "Failed", last?.error ?? null);
}

/** The data sources of the active query's steps, and the known tables that their SQL names. */
export async function tablesReadBy(tx: Connection, subscriptionId: number) {
  const steps = await tx
    .select({ dataSourceId: dataSources.id, kind: dataSources.kind, sql: querySteps.sql })
    .from(subscriptions)
    .innerJoin(
      queryVersions,
      and(eq(queryVersions.queryId, subscriptions.queryId), eq(queryVersions.status, "Active")),
    )
    .innerJoin(querySteps, eq(querySteps.versionId, queryVersions.id))
    .innerJoin(dataSources, eq(dataSources.id, querySteps.dataSourceId))
    .where(eq(subscriptions.id, subscriptionId));
  const dataSourceIds = [...new Set(steps.map(({ dataSourceId }) => dataSourceId))];
  const known = await listKnownTables(dataSourceIds);
  const named = steps.flatMap(({ dataSourceId, kind, sql: statement }) => {
    const dialect = isDatabaseKind(kind) ? dialectOf(kind) : null;
    if (dialect === null || statement === null) return [];
    const lower = statement.toLowerCase();
    return (known.get(dataSourceId)?.tables ?? [])
      .filter(({ tableName }) => lower.includes(needleOf(tableName).toLowerCase()))
      .filter((table) => namesTable(statement, dialect, table))
      .map(({ schemaName, tableName }) => ({ dataSourceId, schemaName, tableName }));
  });
  const tables = [...new Map(named.map((table) => [keyOf(table), table])).values()];
  return { dataSourceIds, tables: tables.slice(0, maxTables) };
}

/** A query that names more says little about any of them. */
const maxTables = 20;

/** The keys of tables that a foreign key links to these, in either direction. */
export async function linkedTo(tables: readonly TableReference[]): Promise<Set<string>> {
  const known = await Promise.all(
    tables.map(async ({ dataSourceId, ...name }) => ({
      dataSourceId,
      found: await findKnownTable(dataSourceId, name),
    })),
  );
  return new Set(
    known.flatMap(({ dataSourceId, found }) => {
      const parents = (found?.table?.columns ?? []).flatMap(({ references }) => references ?? []);
      return [...parents, ...(found?.referredBy ?? [])].map(({ schemaName, tableName }) =>
        keyOf({ dataSourceId, schemaName, tableName }),
      );
    }),
  );
}

/** Why a problem is over, by what it was about: "recovered", "switched off". */
export async function endOf(
  tx: Connection,
  subject: Subject,
  ids: readonly number[],
): Promise<Map<number, string>> {
  if (ids.length === 0) return new Map();
  if (subject === "Table") return endOfTables(tx, ids);
  const table = subject === "Contract" ? contracts : subscriptions;
  const rows = await tx
    .select({ id: table.id, enabled: table.enabled, archivedAt: table.archivedAt })
    .from(table)
    .where(inArray(table.id, [...ids]));
  return new Map(
    rows.map(({ id, enabled, archivedAt }) => [
      id,
      archivedAt !== null ? "archived" : enabled ? "recovered" : "switched off",
    ]),
  );
}

async function endOfTables(tx: Connection, ids: readonly number[]): Promise<Map<number, string>> {
  const rows = await tx
    .select({ id: watchedTables.id, watchedId: watches.id })
    .from(watchedTables)
    .leftJoin(watches, eq(watches.id, watchedTables.dataSourceId))
    .where(inArray(watchedTables.id, [...ids]));
  const expected = await tx
    .select({ tableId: tableAlerts.tableId })
    .from(tableAlerts)
    .where(
      and(
        inArray(tableAlerts.tableId, [...ids]),
        isNull(tableAlerts.endedAt),
        isNotNull(tableAlerts.expectedAt),
      ),
    );
  const isExpected = new Set(expected.map(({ tableId }) => tableId));
  return new Map(
    rows.map(({ id, watchedId }) => [
      id,
      watchedId === null ? "switched off" : isExpected.has(id) ? "called expected" : "recovered",
    ]),
  );
}
