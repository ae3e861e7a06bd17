import type { NotificationRequest } from "../notifications/service/enqueue.ts";
import { hashOfShown } from "../shown-hash.ts";
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
  /** The steps of the version in question, in their order. */
  steps: readonly ShownStep[];
};

export type ShownStep = { name: string; sql: string | null; request: object | null };

/** Of what a request is about. */
export const requestHash = ({ kind, steps }: Pick<Waiting, "kind" | "steps">): string =>
  hashOfShown({ kind, steps: steps.map(({ name, sql, request }) => ({ name, sql, request })) });

/** What fits into a chat message. */
const maxText = 900;
const maxSteps = 10;

/** What those who may decide about a request are told when it is made. Pure. */
export function requestNotification(request: Waiting): Omit<NotificationRequest, "userIds"> {
  const { title, request: what } = asked[request.kind];
  const by = request.requesterName ?? "An AI actor";
  const { id, steps } = request;
  const texts = steps.map(({ sql, request }) => sql ?? JSON.stringify(request, null, 1));
  // Nobody approves by a button what the message does not show.
  const isShown = steps.length <= maxSteps && texts.every((text) => text.length <= maxText);
  const hash = requestHash(request);
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
      ...(isShown && {
        groups: [
          {
            title: request.kind === "Change" ? "Proposed steps" : "Steps",
            facts: steps.map(({ name }, index) => ({ label: name, value: texts[index] ?? "" })),
          },
        ],
      }),
      link: { label: "Review the request", path: `/approvals/${request.id}` },
      buttons: [
        ...(isShown ? [{ deed: "approve-change" as const, id, hash }] : []),
        { deed: "reject-change", id, hash },
      ],
      ...(!isShown && { note: "It is too long to show here: open it to approve it." }),
    },
    isDecision: true,
    topic: "Approvals",
  };
}
