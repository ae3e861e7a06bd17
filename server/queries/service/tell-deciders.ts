import { eq } from "drizzle-orm";
import { keyMakersOf } from "../../api-keys/service/key-makers.ts";
import { findUserIdsWith } from "../../auth/service/people.ts";
import { namesOfUsers } from "../../auth/service/user-names.ts";
import type { Transaction } from "../../db/client.ts";
import { isMailConfigured } from "../../notifications/mail-configured.ts";
import { enqueueNotification } from "../../notifications/service/enqueue.ts";
import { getSettings } from "../../settings/service.ts";
import { requestNotification } from "../approval-notification.ts";
import { queries, queryApprovals, queryVersions } from "../tables.ts";
import { shownSteps } from "./shown-steps.ts";

/**
 * Tells those who may decide that a request waits for them. Whoever made it knows; with four eyes on, the author of the
 * steps cannot decide either, nor who made a key of a service account that did it.
 */
export async function tellDeciders(tx: Transaction, requestId: number): Promise<void> {
  const [request] = await tx
    .select({
      id: queryApprovals.id,
      kind: queryApprovals.kind,
      summary: queryApprovals.summary,
      requesterId: queryApprovals.requestedById,
      authorId: queryVersions.createdById,
      ownerId: queries.createdById,
      projectId: queries.projectId,
      queryName: queries.name,
      versionId: queryApprovals.versionId,
    })
    .from(queryApprovals)
    .innerJoin(queries, eq(queries.id, queryApprovals.queryId))
    .innerJoin(queryVersions, eq(queryVersions.id, queryApprovals.versionId))
    .where(eq(queryApprovals.id, requestId));
  if (!request) throw new Error("A request that was just made is gone");
  const { requesterId, authorId } = request;
  const { fourEyes } = await getSettings(tx);
  const authors = [requesterId, request.kind === "FirstRun" ? authorId : null];
  const barred = fourEyes ? [...authors, ...(await keyMakersOf(tx, authors))] : [requesterId];
  const deciders = await findUserIdsWith(tx, "query-changes:decide", request.projectId);
  const names = await namesOfUsers([requesterId]);
  await enqueueNotification(tx, {
    ...requestNotification({
      ...request,
      requesterName: names.get(requesterId ?? 0)?.name ?? null,
      steps: await shownSteps(tx, request.versionId),
    }),
    userIds: isMailConfigured() ? deciders.filter((id) => !barred.includes(id)) : [],
    ownerIds: [request.ownerId ?? 0],
  });
}
