import { and, eq, type SQL, sql } from "drizzle-orm";
import type { PgColumn } from "drizzle-orm/pg-core";
import type { Transaction } from "../../db/client.ts";
import { anyOf } from "../../db/gathered.ts";
import { tasks } from "../tables.ts";

/** Identifies what a task is about, and its project. */
export type TaskOf =
  | { subscriptionId: number; queryId: number; projectId: number }
  | { contractId: number; projectId: number };

export const autoResolvedNotes = "Auto-resolved: Query returned 0 results";
export const recoveredNotes = "Auto-resolved: The score is back above the threshold";

/** What was found: a subscription's rows, or a contract's score. */
type Found = { rowCount: number } | { score: number };

/** What something found in a run that began at a time. */
export type Finding = { of: TaskOf; found: Found; at: Date };

export type RecordedTask = { taskId: number; isNew: boolean; assigneeId: number | null };

const isOpen = sql`${tasks.status} = 'Open'`;

/** The condition that a subscription has an open task. */
export const hasOpenTask = (subscriptionId: PgColumn): SQL =>
  sql`exists (select from ${tasks} where ${tasks.subscriptionId} = ${subscriptionId} and ${isOpen})`;

/** Records one finding, as `recordFindings` does several. */
export async function recordFinding(
  tx: Transaction,
  of: TaskOf,
  found: Found,
  at = new Date(),
): Promise<RecordedTask> {
  const [task] = await recordFindings(tx, [{ of, found, at }]);
  return task as RecordedTask;
}

/**
 * Records that subscriptions found rows, or that contracts scored below their threshold: opens their tasks or updates the
 * open ones. All are of one kind, and each at most once. Concurrent calls share a task. Returns the task of each.
 */
export async function recordFindings(
  tx: Transaction,
  findings: readonly Finding[],
): Promise<readonly RecordedTask[]> {
  const [first] = findings;
  if (!first) return [];
  const owner = "contractId" in first.of ? ("contract_id" as const) : ("subscription_id" as const);
  const rows = findings.map(({ of, found, at }) => ({
    ...("contractId" in of
      ? { contract_id: of.contractId }
      : { subscription_id: of.subscriptionId, query_id: of.queryId }),
    ...("score" in found
      ? { latest_row_count: 0, latest_score: found.score }
      : { latest_row_count: found.rowCount }),
    ...{ project_id: of.projectId, created_at: at },
  }));
  // In a certain order, so that no two calls wait for each other.
  const recorded = await tx.execute<RecordedTask & { ownerId: number }>(sql`
    insert into ${tasks} as task (contract_id, subscription_id, query_id, project_id, latest_row_count, latest_score,
      created_at)
    select contract_id, subscription_id, query_id, project_id, latest_row_count, latest_score, created_at
    from json_to_recordset(${JSON.stringify(rows)}::json) as found (
      contract_id integer, subscription_id integer, query_id integer, project_id integer, latest_row_count integer,
      latest_score numeric, created_at timestamptz)
    order by ${sql.identifier(owner)}
    on conflict (${sql.identifier(owner)}) where status = 'Open' do update set
      latest_row_count = excluded.latest_row_count, latest_score = excluded.latest_score,
      execution_count = task.execution_count + 1
    returning ${sql.identifier(owner)} as "ownerId", id as "taskId", execution_count = 1 as "isNew",
      assignee_id as "assigneeId"`);
  const byOwner = new Map(recorded.map(({ ownerId, ...task }) => [ownerId, task]));
  return findings.map(({ of }) => {
    const task = byOwner.get("contractId" in of ? of.contractId : of.subscriptionId);
    if (!task) throw new Error("The upsert returned no task");
    return task;
  });
}

/**
 * Records that a subscription no longer finds anything: its open task resolves automatically. Returns the task's id, if
 * there was one.
 */
export async function recordNoFinding(
  tx: Transaction,
  subscriptionId: number,
  at = new Date(),
): Promise<number | null> {
  const [resolved] = await tx
    .update(tasks)
    .set({ status: "Resolved", latestRowCount: 0, resolvedAt: at, resolutionNotes: autoResolvedNotes })
    .where(and(eq(tasks.subscriptionId, subscriptionId), isOpen))
    .returning({ id: tasks.id });
  return resolved?.id ?? null;
}

/** Records that the scores of contracts are no longer below their thresholds: their open tasks resolve automatically. */
export async function recordRecoveries(
  tx: Transaction,
  recoveries: readonly { contractId: number; score: number; at: Date }[],
): Promise<void> {
  if (recoveries.length === 0) return;
  const rows = recoveries.map(({ contractId, score, at }) => ({ contract_id: contractId, score, at }));
  await tx.execute(sql`
    with recovered as (
      select * from json_to_recordset(${JSON.stringify(rows)}::json) as recovered (
        contract_id integer, score numeric, at timestamptz)
    ),
    open as (
      select id, score, at from ${tasks} as task join recovered using (contract_id)
      where status = 'Open' and task.contract_id = ${anyOf("recovered", "contract_id")}
      order by contract_id for update of task
    )
    update ${tasks} set status = 'Resolved', latest_score = open.score, resolved_at = open.at,
      resolution_notes = ${recoveredNotes}
    from open where ${tasks.id} = open.id`);
}
