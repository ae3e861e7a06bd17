import type { NotificationRequest } from "../notifications/service/enqueue.ts";
import type { ApprovalKind } from "./approval-kinds.ts";

/** Of the message that a request waits; withdrawn once it no longer does. */
export const waitsKey = "waits";

const asked: Record<ApprovalKind, { title: string; request: string }> = {
  Change: { title: "A change waits for your decision", request: "Change of the query" },
  FirstRun: { title: "A first run waits for your decision", request: "First run of the query" },
  Archive: { title: "An archiving waits for your decision", request: "Archive the query" },
};

type Waiting = {
  id: number;
  kind: ApprovalKind;
  summary: string | null;
  projectId: number;
  queryName: string;
  /** null for an AI actor. */
  requesterName: string | null;
};

/** What those who may decide about a request are told when it is made. Pure. */
export function requestNotification(request: Waiting): Omit<NotificationRequest, "userIds"> {
  const { title, request: what } = asked[request.kind];
  const by = request.requesterName ?? "An AI actor";
  return {
    projectId: request.projectId,
    cause: { kind: "Approval", id: request.id },
    dedupeKey: waitsKey,
    content: {
      title: `${title}: ${request.queryName}`,
      tone: "Info",
      summary: request.summary?.trim() || `${by} requests it.`,
      facts: [
        { label: "By", value: by },
        { label: "Request", value: what },
      ],
      link: { label: "Review the request", path: `/approvals/${request.id}` },
    },
    topic: "Approvals",
  };
}
