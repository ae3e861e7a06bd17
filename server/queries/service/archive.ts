import { eq, sql } from "drizzle-orm";
import { maySeeProject, type SignedIn } from "../../auth/principal.ts";
import { db, type Transaction } from "../../db/client.ts";
import { Problem } from "../../errors.ts";
import { getSettings } from "../../settings/service.ts";
import { forgetManaged, rejectManaged } from "../../stacks/service.ts";
import { plural } from "../../text.ts";
import { queries } from "../tables.ts";
import { hasPendingRequest, requestApproval, supersedeRequests } from "./approval-requests.ts";
import { findLockedQueries, notifyOwner } from "./owned-queries.ts";
import { getQuery, type LoadedQuery, queryNotFound } from "./queries.ts";
import { lockChangeable } from "./save-query.ts";
import {
  archiveSubscriptionsOf,
  countSubscriptions,
  listSubscriptionIds,
} from "./subscriptions-of-queries.ts";
import { getActiveVersion } from "./versions.ts";

/**
 * Archives a query: hides it from every list and keeps its versions. Returns its name and how many subscriptions were
 * archived with it. Throws not_found, and conflict if it is locked, or if subscriptions run it and are not to be
 * archived too.
 *
 * With the approval workflow on, archiving a query that is under review or has subscriptions needs approval; otherwise
 * recreating it with other steps would bypass the review. `approvalId` is then the request.
 */
export async function archiveQuery(
  ctx: SignedIn,
  { id, cascade = false }: { id: number; cascade?: boolean },
  alongside?: (tx: Transaction, approvalId: number | null) => Promise<void>,
): Promise<{ name: string; subscriptionCount: number; approvalId: number | null }> {
  return db.transaction(async (tx) => {
    const { name } = await lockChangeable(tx, ctx, id);
    const count = (await countSubscriptions([id], tx)).get(id) ?? 0;
    if (count > 0 && !cascade) throw new Problem("conflict", `The query is still run by ${inWords(count)}`);
    for (const each of await listSubscriptionIds(tx, id))
      await rejectManaged(tx, ctx, { kind: "Subscription", id: each });
    const mustWait = count > 0 || (await hasPendingRequest(tx, id));
    const approvalId =
      mustWait && (await getSettings(tx)).approvalWorkflow ? await requestArchive(tx, ctx, id, count) : null;
    if (approvalId === null) await carryOut(tx, id);
    await alongside?.(tx, approvalId);
    return { name, subscriptionCount: count, approvalId };
  });
}

async function requestArchive(tx: Transaction, { principal }: SignedIn, queryId: number, count: number) {
  const active = await getActiveVersion(tx, queryId);
  return requestApproval(tx, {
    ...{ kind: "Archive", queryId, versionId: active.id, baseNumber: active.number },
    summary: `Archive the query${count === 0 ? "" : ` and ${inWords(count)}`}`,
    requestedById: principal.userId,
  });
}

/**
 * Archives a query that the caller has locked, with its subscriptions, after approval. Throws conflict if it is locked
 * against changes.
 */
export async function archiveApproved(tx: Transaction, id: number): Promise<void> {
  if ((await findLockedQueries([id], tx)).has(id)) throw new Problem("conflict", "Query is locked");
  await carryOut(tx, id);
}

async function carryOut(tx: Transaction, id: number): Promise<void> {
  for (const each of await archiveSubscriptionsOf(tx, id))
    await forgetManaged(tx, { kind: "Subscription", id: each });
  await forgetManaged(tx, { kind: "Query", id });
  await tx.update(queries).set({ archivedAt: sql`now()` }).where(eq(queries.id, id));
  await supersedeRequests(tx, id, "archived");
  await notifyOwner(tx, id);
}

const inWords = (count: number) => plural(count, "subscription");

/** The audit log entry's details. */
export const archivedDetail = ({
  name,
  subscriptionCount: count,
  approvalId,
}: {
  name: string;
  subscriptionCount: number;
  approvalId: number | null;
}) =>
  [
    count === 0 ? name : `${name}, with ${inWords(count)}`,
    ...(approvalId === null ? [] : [`waits for approval ${approvalId}`]),
  ].join(", ");

/**
 * Restores an archived query to its place; subscriptions archived with it stay archived. Does nothing if it is not
 * archived. Throws not_found.
 */
export async function unarchiveQuery(ctx: SignedIn, id: number): Promise<LoadedQuery> {
  const [query] = await db.select().from(queries).where(eq(queries.id, id));
  if (!query || !maySeeProject(ctx.principal, query.projectId)) throw queryNotFound();
  if (query.archivedAt) await db.update(queries).set({ archivedAt: null }).where(eq(queries.id, id));
  return getQuery(ctx, id);
}
