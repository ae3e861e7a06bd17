import { and, asc, desc, eq, inArray, isNotNull, isNull, ne, sql } from "drizzle-orm";
import { evaluations } from "../../data-quality/evaluations/tables.ts";
import { contracts } from "../../data-quality/tables.ts";
import { listForeignKeys } from "../../data-sources/service/known-tables.ts";
import type { Connection } from "../../db/client.ts";
import { findSubscriptionTitles } from "../../queries/service/subscription-titles.ts";
import { tablesReadBy } from "../../queries/service/tables-read.ts";
import { anomalies, executions, subscriptionIncidents, subscriptions } from "../../subscriptions/tables.ts";
import { plural } from "../../text.ts";
import { tableAlerts, watchedTables, watches } from "../../watch/tables.ts";
import { keyOf } from "../grouping.ts";
import { belowThresholdWords, failedWords, notEvaluatedWords, stalledWords } from "../in-words.ts";
import type { ProblemKind, Subject, TableReference } from "../schema.ts";

export type Described = {
  name: string;
  reason: string;
  dataSourceIds: readonly number[];
  tables: readonly TableReference[];
};

type Problem = { subject: Subject; subjectId: number; kind: ProblemKind };

/**
 * What subscriptions, contracts, and tables are called, what they read, and what is wrong with them, by their last run. Tables
 * are read at once: ten thousand may be late.
 */
export async function describeProblems(
  tx: Connection,
  problems: readonly Problem[],
): Promise<(problem: Problem) => Promise<Described>> {
  const tables = await describeTables(
    tx,
    problems.flatMap(({ subject, subjectId }) => (subject === "Table" ? subjectId : [])),
  );
  return async ({ subject, subjectId, kind }) => {
    if (subject === "Contract") return describeContract(tx, subjectId);
    if (subject === "Subscription") return describeSubscription(tx, subjectId, kind);
    const described = tables.get(subjectId);
    if (!described) throw new Error("A table with a problem has no alert");
    return described;
  };
}

type Alert = { id: number; sentence: string } & TableReference;

async function describeTables(tx: Connection, tableIds: readonly number[]): Promise<Map<number, Described>> {
  if (tableIds.length === 0) return new Map();
  const { id, dataSourceId, schemaName, tableName } = watchedTables;
  const alerts = await tx
    .select({ id, dataSourceId, schemaName, tableName, sentence: tableAlerts.sentence })
    .from(watchedTables)
    .innerJoin(tableAlerts, eq(tableAlerts.tableId, id))
    .where(and(inArray(id, [...tableIds]), isNull(tableAlerts.endedAt), isNull(tableAlerts.expectedAt)))
    .orderBy(asc(tableAlerts.kind), desc(tableAlerts.openedAt));
  return new Map(
    [...Map.groupBy(alerts, (alert) => alert.id)].flatMap(([tableId, own]) => {
      const [worst, ...others] = own;
      return worst ? [[tableId, describeTable(worst, others)]] : [];
    }),
  );
}

/** By its worst alert, and how many more there are. */
function describeTable(first: Alert, others: readonly Alert[]): Described {
  const { dataSourceId, schemaName, tableName } = first;
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
    ...(await tablesReadBySubscription(tx, subscriptionId)),
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

/** What a subscription's query reads; nothing for one that is not there. */
export async function tablesReadBySubscription(connection: Connection, subscriptionId: number) {
  const [found] = await connection
    .select({ queryId: subscriptions.queryId })
    .from(subscriptions)
    .where(eq(subscriptions.id, subscriptionId));
  return found ? tablesReadBy(connection, found.queryId) : { dataSourceIds: [], tables: [] };
}

/** The keys of tables that a foreign key links to these, in either direction. */
export async function linkedTo(tables: readonly TableReference[]): Promise<Set<string>> {
  const linkedOf = await loadLinks(tables.map(({ dataSourceId }) => dataSourceId));
  return linkedOf(tables);
}

/** The same, for whoever asks about many tables of these data sources. */
export async function loadLinks(
  dataSourceIds: readonly number[],
): Promise<(tables: readonly TableReference[]) => Set<string>> {
  const links = new Map<string, string[]>();
  const link = (one: string, other: string) => {
    const known = links.get(one);
    if (known) known.push(other);
    else links.set(one, [other]);
  };
  for (const dataSourceId of new Set(dataSourceIds))
    for (const { from, to } of await listForeignKeys(dataSourceId)) {
      const [child, parent] = [keyOf({ dataSourceId, ...from }), keyOf({ dataSourceId, ...to })];
      link(child, parent);
      link(parent, child);
    }
  return (tables) => new Set(tables.flatMap((table) => links.get(keyOf(table)) ?? []));
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
