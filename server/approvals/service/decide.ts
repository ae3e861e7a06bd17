import type { SignedIn } from "../../auth/principal.ts";
import { db, type Transaction } from "../../db/client.ts";
import { Problem } from "../../errors.ts";
import {
  type ApprovalRequest,
  lockRequest,
  recordDecision,
} from "../../queries/service/approval-requests.ts";
import { findActiveVersionNumber } from "../../queries/service/versions.ts";
import { sendToUsers } from "../../realtime/service.ts";
import { getSettings } from "../../settings/service.ts";
import { kinds } from "../kinds.ts";
import { approvalNotFound, getApproval } from "./approvals.ts";

type Decision = { id: number; comment?: string | null | undefined };

/**
 * Approves what was asked for: it happens at once. Throws not_found; conflict when it is decided already, when
 * another version runs than the one that it was asked for, and when the query is locked; and forbidden where four
 * eyes are asked for and they are the same. One of several decisions at a time wins.
 */
export async function approve(ctx: SignedIn, decision: Decision) {
  return decide(ctx, decision, "Approved", async (tx, request) => {
    if ((await getSettings(tx)).fourEyes) refuseSameEyes(ctx, request);
    const stale = kinds[request.kind].staleBecause(
      request,
      await findActiveVersionNumber(tx, request.queryId),
    );
    if (stale !== null) throw new Problem("conflict", stale);
    await kinds[request.kind].approve(tx, request);
  });
}

/** Rejects what was asked for: all stays as it is. Its requester may, too, which takes it back. */
export async function reject(ctx: SignedIn, decision: Decision) {
  return decide(ctx, decision, "Rejected", (tx, request) => kinds[request.kind].reject(tx, request));
}

/** The other eyes are those of another person: of none whose work it is, whichever key they use. */
function refuseSameEyes({ principal: { userId } }: SignedIn, request: ApprovalRequest): void {
  if (kinds[request.kind].people(request).includes(userId))
    throw new Problem("forbidden", "Your own change has to be approved by somebody else");
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
    // Written down first: what is carried out supersedes what still waits.
    await recordDecision(tx, id, { status, reviewerId, comment: comment?.trim() || null });
    await carryOut(tx, request);
    const people = [reviewerId, ...(request.requesterId === null ? [] : [request.requesterId])];
    await sendToUsers(tx, people, {
      name: "ApprovalUpdated",
      data: { approvalId: id, status: hubStatus[status] },
    });
  });
  return getApproval(ctx, id);
}

const hubStatus = { Approved: "approved", Rejected: "rejected" } as const;
