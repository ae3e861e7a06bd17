import type { Task } from "@/server/tasks/schema.ts";

export const taskPageSize = 50;

/** What the list asks the service for, on the server and in the browser alike: a prefetch must ask the same. */
export function taskListInput(
  inProject: { projectId?: number },
  filters: {
    status: Task["status"] | null;
    assignee: string | null;
    subscription: number | null;
    page: number;
  },
  /** Who is signed in. */
  myId: number,
) {
  const assigneeId = filters.assignee === "mine" ? myId : Number(filters.assignee);
  return {
    ...inProject,
    ...(filters.status !== null && { status: filters.status }),
    // An address that somebody has mistyped is as good as none.
    ...(Number.isInteger(assigneeId) && assigneeId > 0 && { assigneeId }),
    ...(filters.subscription !== null && { subscriptionId: filters.subscription }),
    page: Math.max(filters.page, 1) - 1,
    pageSize: taskPageSize,
  };
}
