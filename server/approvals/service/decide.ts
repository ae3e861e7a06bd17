import { keyMakersOf } from "../../api-keys/service/key-makers.ts";
import type { SignedIn } from "../../auth/principal.ts";
import { db, type Transaction } from "../../db/client.ts";
import { Problem } from "../../errors.ts";
import { isMailConfigured } from "../../notifications/mail-configured.ts";
import { enqueueNotification } from "../../notifications/service/enqueue.ts";
import {
  type ApprovalRequest,
  lockRequest,
  recordDecision,
  recordReading,
} from "../../queries/service/approval-requests.ts";
import { findActiveVersionNumber } from "../../queries/service/versions.ts";
import { sendInProject } from "../../realtime/service.ts";
import { getSettings } from "../../settings/service.ts";
import { decisionNotification } from "../decision-notification.ts";
import { kinds } from "../kinds.ts";
import { approvalNotFound, getApproval } from "./approvals.ts";

type Decision = { id: number; comment?: string | null | undefined };

/**
 * Approves a request and applies it immediately. Throws not_found; conflict if it is already decided, another version
 * is active, or the query is locked; and forbidden if four eyes are on and the caller is an author. Of several
 * concurrent decisions, one wins.
 */
export async function approve(ctx: SignedIn, decision: Decision) {
  return decide(ctx, decision, "Approved", async (tx, request) => {
    if ((await getSettings(tx)).fourEyes) await requireOtherPerson(tx, ctx, request);
    const stale = kinds[request.kind].staleBecause(
      request,
      await findActiveVersionNumber(tx, request.queryId),
    );
    if (stale !== null) throw new Problem("conflict", stale);
    await kinds[request.kind].approve(tx, request);
  });
}

/** Rejects a request; nothing changes. The requester can do this too, to withdraw it. */
export async function reject(ctx: SignedIn, decision: Decision) {
  return decide(ctx, decision, "Rejected", (tx, request) => kinds[request.kind].reject(tx, request));
}

/** Four eyes means another person: none of the authors, whichever key they use, also one of a service account. */
async function requireOtherPerson(
  tx: Transaction,
  { principal: { userId } }: SignedIn,
  request: ApprovalRequest,
): Promise<void> {
  const authors = kinds[request.kind].people(request);
  if (authors.includes(userId)) throw new Problem("forbidden", "Someone else must approve your change");
  if ((await keyMakersOf(tx, authors)).includes(userId))
    throw new Problem(
      "forbidden",
      "Someone else must approve this: you have created a key of the service account that made the change",
    );
}

async function decide(
  ctx: SignedIn,
  { id, comment }: Decision,
  status: "Approved" | "Rejected",
  carryOut: (tx: Transaction, request: ApprovalRequest) => Promise<void>,
) {
  const reviewerId = ctx.principal.userId;
  await db.transaction(async (tx) => {
    const request = await lockRequest(tx, ctx, id);
    if (!request) throw approvalNotFound();
    if (request.status !== "Pending")
      throw new Problem("conflict", `The approval is not pending: it is ${request.status}`);
    // Stored first: applying the change supersedes pending requests.
    const isOwn = request.requesterId === reviewerId;
    await recordDecision(tx, id, { status, reviewerId, comment: comment?.trim() || null, isRead: isOwn });
    await carryOut(tx, request);
    if (!isOwn && request.requesterId !== null && isMailConfigured())
      await enqueueNotification(tx, {
        ...decisionNotification(ctx, request, { status, comment: comment?.trim() || null }),
        userIds: [request.requesterId],
      });
    const people = [reviewerId, ...(request.requesterId === null ? [] : [request.requesterId])];
    await sendInProject(tx, request.projectId, people, {
      name: "ApprovalUpdated",
      data: { approvalId: id, status: hubStatus[status] },
    });
  });
  return getApproval(ctx, id);
}

/**
 * Notes that the requester has read the decision, so that the query's page no longer shows it. Throws not_found, forbidden
 * for anyone else, and conflict while it is pending.
 */
export async function acknowledgeDecision(ctx: SignedIn, id: number) {
  const { requester, decidedAt } = await getApproval(ctx, id);
  if (requester?.id !== ctx.principal.userId)
    throw new Problem("forbidden", "Only who requested the change can mark its decision as read");
  if (decidedAt === null) throw new Problem("conflict", "The request is not decided");
  await recordReading(id);
  return getApproval(ctx, id);
}

const hubStatus = { Approved: "approved", Rejected: "rejected" } as const;
