import { createLoader, parseAsStringLiteral } from "nuqs/server";
import { pageInput, pageParameter } from "@/components/ui/list-input.ts";
import { approvalStatuses } from "@/server/queries/approval-kinds.ts";

export const approvalsPerPage = 50;

const shownStatuses = [...approvalStatuses, "all"] as const;
export type ShownStatus = (typeof shownStatuses)[number];

/** Filters of the list of changes, in the URL; pending ones by default. */
export const approvalParameters = {
  status: parseAsStringLiteral(shownStatuses).withDefault("Pending"),
  ...pageParameter,
};

export const loadApprovalFilters = createLoader(approvalParameters);

/** The list procedure's input, on the server and in the browser: a prefetch must use the same. */
export function approvalListInput(
  project: { projectId?: number },
  { status, page }: { status: ShownStatus; page: number },
) {
  return {
    ...project,
    ...(status !== "all" && { status }),
    ...pageInput(page, approvalsPerPage),
  };
}
