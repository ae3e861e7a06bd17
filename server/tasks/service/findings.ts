import { and, eq, sql } from "drizzle-orm";
import type { Transaction } from "../../db/client.ts";
import { tasks } from "../tables.ts";

/** One subscription's place among the tasks. */
export type TaskOf = { subscriptionId: number; queryId: number; projectId: number };

export const autoResolvedNotes = "Auto-resolved: Query returned 0 results";

/**
 * Says that a subscription has found rows, in an execution that began at `at`. Opens its task, or tells the one that
 * is open; two that find rows at the same time have one task between them. Returns its id, and whether it is new.
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

/** Says that a subscription has found nothing any more: its open task resolves itself. Returns its id, if it had one. */
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
