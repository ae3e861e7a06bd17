import {
  createLoader,
  type inferParserType,
  parseAsInteger,
  parseAsString,
  parseAsStringLiteral,
} from "nuqs/server";
import { taskStatuses } from "@/server/tasks/schema.ts";

export const taskPageSize = 50;

/** Filters of the task list, in the URL. */
export const taskParameters = {
  status: parseAsStringLiteral(taskStatuses),
  /** A user ID, or "mine". */
  assignee: parseAsString,
  subscription: parseAsInteger,
  /** Counts from 1 in the URL. */
  page: parseAsInteger.withDefault(1),
};

export const loadTaskFilters = createLoader(taskParameters);

/** The list procedure's input, on the server and in the browser: a prefetch must use the same. */
export function taskListInput(
  inProject: { projectId?: number },
  filters: inferParserType<typeof taskParameters>,
  /** The signed-in user. */
  myId: number,
) {
  const assigneeId = filters.assignee === "mine" ? myId : Number(filters.assignee);
  return {
    ...inProject,
    ...(filters.status !== null && { status: filters.status }),
    // An invalid value in the URL is ignored.
    ...(Number.isInteger(assigneeId) && assigneeId > 0 && { assigneeId }),
    ...(filters.subscription !== null && { subscriptionId: filters.subscription }),
    page: Math.max(filters.page, 1) - 1,
    pageSize: taskPageSize,
  };
}
