import { and, eq, sql } from "drizzle-orm";
import type { Transaction } from "../../db/client.ts";
import { tasks } from "../tables.ts";

/** Identifies a subscription and its project. */
export type TaskOf = { subscriptionId: number; queryId: number; projectId: number };

export const autoResolvedNotes = "Auto-resolved: Query returned 0 results";

/**
 * Records that a subscription found rows in an execution that began at `at`: opens its task or updates the open one.
 * Concurrent calls share one task. Returns its id, and whether it is new.
 */
export async function recordFinding(
  tx: Transaction,
  of: TaskOf,
  rowCount: number,
  at = new Date(),
): Promise<{ taskId: number; isNew: boolean }> {
  const [task] = await tx
    .insert(tasks)
    .values({ ...of, latestRowCount: rowCount, createdAt: at })
    .onConflictDoUpdate({
      target: tasks.subscriptionId,
      targetWhere: sql`${tasks.status} = 'Open'`,
      set: { latestRowCount: rowCount, executionCount: sql`${tasks.executionCount} + 1` },
    })
    .returning({ taskId: tasks.id, executionCount: tasks.executionCount });
  if (!task) throw new Error("The upsert returned no task");
  return { taskId: task.taskId, isNew: task.executionCount === 1 };
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
    .set({
      status: "Resolved",
      latestRowCount: 0,
      resolvedAt: at,
      resolutionNotes: autoResolvedNotes,
    })
    .where(and(eq(tasks.subscriptionId, subscriptionId), eq(tasks.status, "Open")))
    .returning({ id: tasks.id });
  return resolved?.id ?? null;
}
