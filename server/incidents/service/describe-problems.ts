import { and, asc, desc, eq, inArray, isNotNull, isNull, ne, sql } from "drizzle-orm";
import { evaluations } from "../../data-quality/evaluations/tables.ts";
import { contracts } from "../../data-quality/tables.ts";
import type { Reads } from "../../data-sources/scope.ts";
import { listForeignKeys } from "../../data-sources/service/known-tables.ts";
import type { Connection } from "../../db/client.ts";
import { isOneOf } from "../../db/gathered.ts";
import { findSubscriptionTitles } from "../../queries/service/subscription-titles.ts";
import { tablesReadByAll } from "../../queries/service/tables-read.ts";
import type { ExecutionStatus } from "../../subscriptions/kinds.ts";
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
 * What subscriptions, contracts, and tables are called, what they read, and what is wrong with them, by their last run. All
 * are read at once: ten thousand may be late.
 */
export async function describeProblems(
  tx: Connection,
  problems: readonly Problem[],
): Promise<(problem: Problem) => Described> {
  const of = (wanted: Subject) => problems.filter(({ subject }) => subject === wanted);
  const ids = (wanted: Subject) => of(wanted).map(({ subjectId }) => subjectId);
  const described: Record<Subject, ReadonlyMap<number, Described>> = {
    Table: await describeTables(tx, ids("Table")),
    Contract: await describeContracts(tx, ids("Contract")),
    Subscription: await describeSubscriptions(tx, of("Subscription")),
  };
  return ({ subject, subjectId }) => {
    const found = described[subject].get(subjectId);
    if (!found) throw new Error(`A ${subject} with a problem was not found`);
    return found;
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

async function describeContracts(tx: Connection, ids: readonly number[]): Promise<Map<number, Described>> {
  if (ids.length === 0) return new Map();
  const latest = tx
    .select({ score: evaluations.overallScore, because: evaluations.notEvaluatedBecause })
    .from(evaluations)
    .where(and(eq(evaluations.contractId, contracts.id), isNotNull(evaluations.evaluatedAt)))
    .orderBy(desc(evaluations.evaluatedAt), desc(evaluations.id))
    .limit(1)
    .as("latest");
  const rows = await tx
    .select({
      id: contracts.id,
      name: contracts.name,
      threshold: contracts.failureThreshold,
      dataSourceId: contracts.dataSourceId,
      schemaName: contracts.schemaName,
      tableName: contracts.tableName,
      score: latest.score,
      because: latest.because,
    })
    .from(contracts)
    .innerJoinLateral(latest, sql`true`)
    .where(isOneOf(contracts.id, ids));
  return new Map(
    rows.map(({ id, name, score, threshold, because, ...table }) => [
      id,
      {
        name,
        reason: because === null ? belowThresholdWords(score ?? 0, threshold) : notEvaluatedWords(because),
        dataSourceIds: [table.dataSourceId],
        tables: [table],
      },
    ]),
  );
}

async function describeSubscriptions(
  tx: Connection,
  problems: readonly Problem[],
): Promise<Map<number, Described>> {
  const ids = problems.map(({ subjectId }) => subjectId);
  if (ids.length === 0) return new Map();
  const [titles, stalled, runs, reads] = [
    await findSubscriptionTitles(ids, tx),
    await stalledReasons(tx, ids),
    await lastRuns(tx, ids),
    await tablesReadBySubscriptions(tx, ids),
  ];
  return new Map(
    problems.map(({ subjectId: id, kind }) => [
      id,
      {
        name: titles.get(id) ?? "",
        reason: kind === "Stalled" ? stalledWords(stalled.get(id) ?? "") : reasonOf(kind, runs.get(id)),
        ...(reads.get(id) ?? nothing),
      },
    ]),
  );
}

type Run = { status: ExecutionStatus; error: string | null; rows: number | null; explanation: string | null };

function reasonOf(kind: ProblemKind, last: Run | undefined): string {
  if (kind === "Unusual") return last?.explanation ?? "";
  if (kind === "Found") return last?.rows ? `${plural(last.rows, "row")} found` : "Nothing found";
  return failedWords(last?.status === "Timeout" ? "Timeout" : "Failed", last?.error ?? null);
}

async function stalledReasons(tx: Connection, ids: readonly number[]): Promise<Map<number, string>> {
  const rows = await tx
    .select({ id: subscriptionIncidents.subscriptionId, reason: subscriptionIncidents.reason })
    .from(subscriptionIncidents)
    .where(
      and(
        isOneOf(subscriptionIncidents.subscriptionId, ids),
        eq(subscriptionIncidents.kind, "Stalled"),
        isNull(subscriptionIncidents.closedAt),
      ),
    );
  return new Map(rows.map(({ id, reason }) => [id, reason]));
}

/** The last run of each that has ended. */
async function lastRuns(tx: Connection, ids: readonly number[]): Promise<Map<number, Run>> {
  const last = tx
    .select({
      executionId: executions.id,
      status: executions.status,
      error: executions.errorMessage,
      rows: executions.rowCount,
    })
    .from(executions)
    .where(and(eq(executions.subscriptionId, subscriptions.id), ne(executions.status, "Created")))
    .orderBy(desc(executions.executedAt), desc(executions.id))
    .limit(1)
    .as("last");
  const rows = await tx
    .select({
      ...{ id: subscriptions.id, status: last.status, error: last.error, rows: last.rows },
      explanation: anomalies.explanation,
    })
    .from(subscriptions)
    .innerJoinLateral(last, sql`true`)
    .leftJoin(anomalies, eq(anomalies.executionId, last.executionId))
    .where(isOneOf(subscriptions.id, ids));
  return new Map(rows.map(({ id, ...run }) => [id, run]));
}

const nothing: Reads = { dataSourceIds: [], tables: [] };

/** What a subscription's query reads; nothing for one that is not there. */
export async function tablesReadBySubscription(tx: Connection, id: number): Promise<Reads> {
  return (await tablesReadBySubscriptions(tx, [id])).get(id) ?? nothing;
}

async function tablesReadBySubscriptions(
  tx: Connection,
  ids: readonly number[],
): Promise<Map<number, Reads>> {
  const rows = await tx
    .select({ id: subscriptions.id, queryId: subscriptions.queryId })
    .from(subscriptions)
    .where(isOneOf(subscriptions.id, ids));
  const reads = await tablesReadByAll(tx, [...new Set(rows.map(({ queryId }) => queryId))]);
  return new Map(rows.map(({ id, queryId }) => [id, reads.get(queryId) ?? nothing]));
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
