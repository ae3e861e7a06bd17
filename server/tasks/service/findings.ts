import { type SQL, sql } from "drizzle-orm";
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
 * Records that subscriptions no longer find anything: their open tasks resolve automatically. Each is given with the time of
 * the run that found nothing. Returns the ids of the tasks.
 */
export async function recordNoFindings(
  tx: Transaction,
  found: readonly { subscriptionId: number; at: Date }[],
): Promise<readonly number[]> {
  if (found.length === 0) return [];
  const rows = found.map(({ subscriptionId, at }) => ({ owner_id: subscriptionId, at, row_count: 0 }));
  return resolveOpen(tx, "subscription_id", rows, autoResolvedNotes);
}

/** Records that the scores of contracts are no longer below their thresholds: their open tasks resolve automatically. */
export async function recordRecoveries(
  tx: Transaction,
  recoveries: readonly { contractId: number; score: number; at: Date }[],
): Promise<void> {
  if (recoveries.length === 0) return;
  const rows = recoveries.map(({ contractId, score, at }) => ({ owner_id: contractId, at, score }));
  await resolveOpen(tx, "contract_id", rows, recoveredNotes);
}

type Resolved = { owner_id: number; at: Date } & ({ row_count: number } | { score: number });

async function resolveOpen(
  tx: Transaction,
  owner: "contract_id" | "subscription_id",
  rows: readonly Resolved[],
  notes: string,
): Promise<readonly number[]> {
  const resolved = await tx.execute<{ id: number }>(sql`
    with given as (
      select * from json_to_recordset(${JSON.stringify(rows)}::json) as given (
        owner_id integer, at timestamptz, row_count integer, score numeric)
    ),
    open as (
      select id, given.* from ${tasks} as task join given on owner_id = task.${sql.identifier(owner)}
      where status = 'Open' and task.${sql.identifier(owner)} = ${anyOf("given", "owner_id")}
      order by owner_id for update of task
    )
    update ${tasks} as task set status = 'Resolved', resolved_at = open.at, resolution_notes = ${notes},
      latest_row_count = coalesce(open.row_count, task.latest_row_count),
      latest_score = coalesce(open.score, task.latest_score)
    from open where task.id = open.id
    returning task.id`);
  return resolved.map(({ id }) => id);
}
