import { eq } from "drizzle-orm";
import type { SignedIn } from "../../auth/principal.ts";
import { db } from "../../db/client.ts";
import { Problem } from "../../errors.ts";
import { requestHash } from "../approval-notification.ts";
import { queryApprovals } from "../tables.ts";
import { findRequest } from "./approval-requests.ts";
import { shownSteps } from "./shown-steps.ts";

/** The hash of what a request is about. Throws not_found unless the caller sees it. */
export async function hashOfRequest(ctx: SignedIn, id: number): Promise<string> {
  const found = await findRequest(ctx, id);
  const [row] = await db
    .select({ versionId: queryApprovals.versionId })
    .from(queryApprovals)
    .where(eq(queryApprovals.id, id));
  if (!found || !row) throw new Problem("not_found", "Approval not found");
  return requestHash({ kind: found.kind, steps: await shownSteps(db, row.versionId) });
}
