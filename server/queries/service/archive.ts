import { and, desc, eq, isNotNull, sql } from "drizzle-orm";
import { maySeeProject, type SignedIn } from "../../auth/principal.ts";
import { inVisibleProject } from "../../auth/visibility.ts";
import { db, type Transaction } from "../../db/client.ts";
import { Problem } from "../../errors.ts";
import { getSettings } from "../../settings/service.ts";
import { queries } from "../tables.ts";
import { hasPendingRequest, requestApproval, supersedeRequests } from "./approval-requests.ts";
import { findLockedQueries, tellOwner } from "./owned-queries.ts";
import { getQuery, type LoadedQuery, queryNotFound } from "./queries.ts";
import { lockChangeable } from "./save-query.ts";
import { archiveSubscriptionsOf, countSubscriptions } from "./subscriptions-of-queries.ts";
import { getActiveVersion } from "./versions.ts";

/**
 * Archives a query: it is gone from every list, and its versions are kept. Answers its name, and how many
 * subscriptions were archived with it. Throws not_found, and conflict when it is locked or while subscriptions run
 * it, unless they are to be archived, too.
 *
 * Where the workflow is on, a query that is under review, or that subscriptions run, stays until somebody has
 * approved it: made anew with other steps, it would have gone round the review. Then `approvalId` is the request.
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
    const mustWait = count > 0 || (await hasPendingRequest(tx, id));
    const approvalId =
      mustWait && (await getSettings(tx)).approvalWorkflow ? await askToArchive(tx, ctx, id, count) : null;
    if (approvalId === null) await carryOut(tx, id);
    await alongside?.(tx, approvalId);
    return { name, subscriptionCount: count, approvalId };
  });
}

async function askToArchive(tx: Transaction, { principal }: SignedIn, queryId: number, count: number) {
  const active = await getActiveVersion(tx, queryId);
  return requestApproval(tx, {
    ...{ kind: "Archive", queryId, versionId: active.id, baseNumber: active.number },
    summary: `Archive the query${count === 0 ? "" : ` and ${inWords(count)}`}`,
    requestedById: principal.userId,
  });
}

/** Archives a query that the caller holds, and what runs it: somebody has approved it. Throws conflict for a lock. */
export async function archiveApproved(tx: Transaction, id: number): Promise<void> {
  if ((await findLockedQueries([id], tx)).has(id)) throw new Problem("conflict", "Query is locked");
  await carryOut(tx, id);
}

async function carryOut(tx: Transaction, id: number): Promise<void> {
  await archiveSubscriptionsOf(tx, id);
  await tx.update(queries).set({ archivedAt: sql`now()` }).where(eq(queries.id, id));
  await supersedeRequests(tx, id, "archived");
  await tellOwner(tx, id);
}

const inWords = (count: number) => `${count} ${count === 1 ? "subscription" : "subscriptions"}`;

/** What the audit log says of it. */
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

/** The archived queries that the caller may see, the last one first. */
export async function listArchivedQueries(
  { principal }: SignedIn,
  { projectId }: { projectId?: number | undefined } = {},
) {
  const rows = await db
    .select({
      id: queries.id,
      projectId: queries.projectId,
      name: queries.name,
      archivedAt: queries.archivedAt,
    })
    .from(queries)
    .where(
      and(
        isNotNull(queries.archivedAt),
        inVisibleProject(principal, queries.projectId),
        projectId === undefined ? undefined : eq(queries.projectId, projectId),
      ),
    )
    .orderBy(desc(queries.archivedAt), desc(queries.id));
  return { items: rows.flatMap(({ archivedAt, ...row }) => (archivedAt ? { ...row, archivedAt } : [])) };
}

/**
 * Brings an archived query back, where it was; subscriptions that were archived with it stay so. One that is not
 * archived is left alone. Throws not_found.
 */
export async function unarchiveQuery(ctx: SignedIn, id: number): Promise<LoadedQuery> {
  const [query] = await db.select().from(queries).where(eq(queries.id, id));
  if (!query || !maySeeProject(ctx.principal, query.projectId)) throw queryNotFound();
  if (query.archivedAt) await db.update(queries).set({ archivedAt: null }).where(eq(queries.id, id));
  return getQuery(ctx, id);
}
