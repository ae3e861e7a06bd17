import type { SignedIn } from "../auth/principal.ts";
import type { NotificationRequest } from "../notifications/service/enqueue.ts";
import type { ApprovalRequest } from "../queries/service/approval-requests.ts";

/** What whoever requested a change is told about its decision by someone else. Pure. */
export function decisionNotification(
  { principal }: SignedIn,
  { id, projectId, queryName, changeSummary, kind }: ApprovalRequest,
  { status, comment }: { status: "Approved" | "Rejected"; comment: string | null },
): Omit<NotificationRequest, "userIds"> {
  const done = status.toLowerCase();
  return {
    projectId,
    cause: { kind: "Approval", id },
    dedupeKey: "decision",
    content: {
      title: `Your change was ${done}: ${queryName}`,
      tone: status === "Approved" ? "Good" : "Warning",
      summary: comment ?? `${principal.name} ${done} it.`,
      facts: [
        { label: "By", value: principal.name },
        { label: "Request", value: changeSummary ?? kind },
      ],
      link: { label: "Open the request", path: `/approvals/${id}` },
    },
    topic: "Decisions",
  };
}
