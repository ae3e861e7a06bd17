"use client";
import { parseAsInteger, parseAsString, parseAsStringLiteral, useQueryStates } from "nuqs";
import { taskStatuses } from "@/server/tasks/schema.ts";

const parameters = {
  status: parseAsStringLiteral(taskStatuses),
  /** A user's id, or "mine". */
  assignee: parseAsString,
  subscription: parseAsInteger,
  page: parseAsInteger.withDefault(1),
};

/** What the list of tasks shows, kept in the address. */
export function useTaskFilters() {
  const [state, setState] = useQueryStates(parameters, { clearOnDefault: true });
  /** Other filters begin at the first page. */
  const set = (change: Parameters<typeof setState>[0] & object) => void setState({ page: null, ...change });
  return { ...state, set, setPage: (page: number) => void setState({ page }) };
}

export type TaskFilters = ReturnType<typeof useTaskFilters>;
