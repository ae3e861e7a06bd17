import { createLoader, parseAsInteger, parseAsStringLiteral } from "nuqs/server";
import { approvalStatuses } from "@/server/queries/approval-kinds.ts";

export const approvalsPerPage = 50;

const shownStatuses = [...approvalStatuses, "all"] as const;
export type ShownStatus = (typeof shownStatuses)[number];

/** What the list of changes shows, in the address: those that wait, unless it says something else. */
export const approvalParameters = {
  status: parseAsStringLiteral(shownStatuses).withDefault("Pending"),
  /** From 1, as people count. */
  page: parseAsInteger.withDefault(1),
};

export const loadApprovalFilters = createLoader(approvalParameters);

/** What the list asks the service for, on the server and in the browser alike: a prefetch must ask the same. */
export function approvalListInput(
  project: { projectId?: number },
  { status, page }: { status: ShownStatus; page: number },
) {
  return {
    ...project,
    ...(status !== "all" && { status }),
    page: Math.min(Math.max(page, 1), 1_000_000) - 1,
    pageSize: approvalsPerPage,
  };
}
