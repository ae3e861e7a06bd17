import {
  createLoader,
  type inferParserType,
  parseAsInteger,
  parseAsString,
  parseAsStringLiteral,
} from "nuqs/server";
import { directionInput, pageInput, pageParameter, searchInput } from "@/components/ui/list-input.ts";
import { taskStatuses } from "@/server/tasks/kinds.ts";
import type { TaskSort } from "@/server/tasks/schema.ts";

export const taskPageSize = 50;

const orders = ["urgency", "name", "rows", "found", "opened"] as const;

/** Filters of the task list, in the URL. */
export const taskParameters = {
  status: parseAsStringLiteral([...taskStatuses, "all"]),
  /** A user ID, "mine", or "nobody". */
  assignee: parseAsString,
  subscription: parseAsInteger,
  q: parseAsString.withDefault(""),
  sort: parseAsStringLiteral(orders).withDefault("urgency"),
  direction: parseAsStringLiteral(["asc", "desc"]),
  ...pageParameter,
};

export const loadTaskFilters = createLoader(taskParameters);

type Filters = inferParserType<typeof taskParameters>;

const sortOf: Record<(typeof orders)[number], TaskSort> = {
  urgency: "Urgency",
  name: "Name",
  rows: "Rows",
  found: "Found",
  opened: "Opened",
};

/**
 * What the page shows: without any filter, the open tasks of the signed-in user. A URL that names anything else shows
 * just that, of everyone.
 */
export function shownFilters<Given extends Pick<Filters, "status" | "assignee" | "subscription" | "q">>(
  filters: Given,
): Given & { isDefault: boolean } {
  const { status, assignee, subscription, q } = filters;
  const isDefault = status === null && assignee === null && subscription === null && q.trim() === "";
  return isDefault ? { ...filters, status: "Open", assignee: "mine", isDefault } : { ...filters, isDefault };
}

/** The list procedure's input, on the server and in the browser: a prefetch must use the same. */
export function taskListInput(
  inProject: { projectId?: number },
  given: Filters,
  /** The signed-in user. */
  myId: number,
) {
  const { status, assignee, subscription, q, sort, direction, page } = shownFilters(given);
  const assigneeId = assignee === "mine" ? myId : Number(assignee);
  return {
    ...inProject,
    ...(status !== null && status !== "all" && { status }),
    // An invalid value in the URL is ignored.
    ...(Number.isInteger(assigneeId) && assigneeId > 0 && { assigneeId }),
    ...(assignee === "nobody" && { unassigned: true }),
    ...(subscription !== null && { subscriptionId: subscription }),
    ...searchInput(q),
    sortBy: sortOf[sort],
    ...directionInput(direction),
    ...pageInput(page, taskPageSize),
  };
}
