import type { SignedIn } from "../../auth/principal.ts";
import { db, type Transaction } from "../../db/client.ts";
import { Problem } from "../../errors.ts";
import {
  type ChangeRequest,
  lockChangeRequest,
  recordDecision,
} from "../../queries/service/change-requests.ts";
import { activateVersion, findActiveVersionNumber, rejectVersion } from "../../queries/service/versions.ts";
import { sendToUsers } from "../../realtime/service.ts";
import { getSettings } from "../../settings/service.ts";
import { approvalNotFound, getApproval } from "./approvals.ts";

type Decision = { id: number; comment?: string | null | undefined };

/**
 * Approves a change: it runs from now on, and the version before it is archived. Throws not_found; conflict when it
 * is decided already, when another version runs than the one that was edited, and when the query is locked; and
 * forbidden for one's own change where four eyes are asked for. One of several decisions at a time wins.
 */
export async function approveChange(ctx: SignedIn, decision: Decision) {
  return decide(ctx, decision, "approved", async (tx, request) => {
    if (request.requesterId === ctx.principal.userId && (await getSettings(tx)).fourEyes)
      throw new Problem("forbidden", "Your own change has to be approved by somebody else");
    const active = await findActiveVersionNumber(tx, request.queryId);
    if (active !== request.baseNumber)
      throw new Problem(
        "conflict",
        `The query was changed in the meantime: its active version is ${active}, and this change was made to version ${request.baseNumber}`,
      );
    await activateVersion(tx, request);
  });
}

/** Rejects a change: the version that runs is untouched. Its requester may, too, which takes it back. */
export async function rejectChange(ctx: SignedIn, decision: Decision) {
  return decide(ctx, decision, "rejected", rejectVersion);
}

async function decide(
  ctx: SignedIn,
  { id, comment }: Decision,
  status: "approved" | "rejected",
  carryOut: (tx: Transaction, request: ChangeRequest) => Promise<void>,
) {
  const reviewerId = ctx.principal.userId;
  await db.transaction(async (tx) => {
    const request = await lockChangeRequest(tx, ctx, id);
    if (!request) throw approvalNotFound();
    if (request.status !== "Pending")
      throw new Problem("conflict", `The approval is not pending: it is ${request.status}`);
    await carryOut(tx, request);
    await recordDecision(tx, id, { reviewerId, comment: comment?.trim() || null });
    const people = [reviewerId, ...(request.requesterId === null ? [] : [request.requesterId])];
    await sendToUsers(tx, people, { name: "ApprovalUpdated", data: { approvalId: id, status } });
  });
  return getApproval(ctx, id);
}
