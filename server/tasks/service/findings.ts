import { and, eq, type SQL, sql } from "drizzle-orm";
import type { PgColumn } from "drizzle-orm/pg-core";
import type { Transaction } from "../../db/client.ts";
import { tasks } from "../tables.ts";

/** Identifies what a task is about, and its project. */
export type TaskOf =
  | { subscriptionId: number; queryId: number; projectId: number }
  | { contractId: number; projectId: number };

export const autoResolvedNotes = "Auto-resolved: Query returned 0 results";
export const recoveredNotes = "Auto-resolved: The score is back above the threshold";

/** What was found: a subscription's rows, or a contract's score. */
type Found = { rowCount: number } | { score: number };

export type RecordedTask = { taskId: number; isNew: boolean; assigneeId: number | null };

const isOpen = sql`${tasks.status} = 'Open'`;

/** The condition that a subscription has an open task. */
export const hasOpenTask = (subscriptionId: PgColumn): SQL =>
  sql`exists (select from ${tasks} where ${tasks.subscriptionId} = ${subscriptionId} and ${isOpen})`;

/**
 * Records that a subscription found rows, or that a contract scored below its threshold, in a run that began at `at`:
 * opens its task or updates the open one. Concurrent calls share one task. Returns its id, whether it is new, and its assignee.
 */
export async function recordFinding(
  tx: Transaction,
  of: TaskOf,
  found: Found,
  at = new Date(),
): Promise<RecordedTask> {
  const latest =
    "score" in found
      ? { latestRowCount: 0, latestScore: found.score }
      : { latestRowCount: found.rowCount, latestScore: null };
  const [task] = await tx
    .insert(tasks)
    .values({ ...of, ...latest, createdAt: at })
    .onConflictDoUpdate({
      target: "contractId" in of ? tasks.contractId : tasks.subscriptionId,
      targetWhere: isOpen,
      set: { ...latest, executionCount: sql`${tasks.executionCount} + 1` },
    })
    .returning({ taskId: tasks.id, executionCount: tasks.executionCount, assigneeId: tasks.assigneeId });
  if (!task) throw new Error("The upsert returned no task");
  return { taskId: task.taskId, isNew: task.executionCount === 1, assigneeId: task.assigneeId };
}

/**
 * Records that a subscription no longer finds anything: its open task resolves automatically. Returns the task's id, if
 * there was one.
 */
export const recordNoFinding = (tx: Transaction, subscriptionId: number, at = new Date()) =>
  resolveOpen(tx, eq(tasks.subscriptionId, subscriptionId), {
    ...{ latestRowCount: 0, resolvedAt: at, resolutionNotes: autoResolvedNotes },
  });

/** The same for a contract whose score is no longer below its threshold. */
export const recordRecovery = (tx: Transaction, contractId: number, score: number, at = new Date()) =>
  resolveOpen(tx, eq(tasks.contractId, contractId), {
    ...{ latestScore: score, resolvedAt: at, resolutionNotes: recoveredNotes },
  });

async function resolveOpen(
  tx: Transaction,
  which: SQL,
  set: Partial<typeof tasks.$inferInsert>,
): Promise<number | null> {
  const [resolved] = await tx
    .update(tasks)
    .set({ ...set, status: "Resolved" })
    .where(and(which, isOpen))
    .returning({ id: tasks.id });
  return resolved?.id ?? null;
}
