import { and, desc, eq, inArray, isNull, not, sql } from "drizzle-orm";
import { type Connection, db, type Transaction } from "../../db/client.ts";
import { isOneOf } from "../../db/gathered.ts";
import { Problem } from "../../errors.ts";
import { getSettings } from "../../settings/service.ts";
import type { ApprovalStatus } from "../approval-kinds.ts";
import { queries, queryApprovals, queryVersions } from "../tables.ts";
import { requestApproval, supersedeRequests } from "./approval-requests.ts";

/**
 * A query created while the approval workflow is on can be viewed and previewed, but no subscription runs it until an
 * Admin approves its version. Turning the workflow off lets everything run immediately.
 */

/** Why subscriptions of a query do not run: the pending or rejected request; null if none was made. */
export type Hold = { approval: { id: number; status: ApprovalStatus } | null };

/** Those of the queries that subscriptions may not run yet, each with the latest request for its first run. */
export async function findHolds(
  queryIds: readonly number[],
  connection: Connection = db,
): Promise<Map<number, Hold>> {
  if (queryIds.length === 0) return new Map();
  const rows = await connection
    .selectDistinctOn([queryVersions.queryId], {
      queryId: queryVersions.queryId,
      id: queryApprovals.id,
      status: queryApprovals.status,
    })
    .from(queryVersions)
    .innerJoin(queries, eq(queries.id, queryVersions.queryId))
    .leftJoin(
      queryApprovals,
      and(eq(queryApprovals.versionId, queryVersions.id), eq(queryApprovals.kind, "FirstRun")),
    )
    .where(and(inArray(queryVersions.queryId, [...queryIds]), isActive, isUnreviewed))
    .orderBy(queryVersions.queryId, desc(queryApprovals.id));
  // The settings are read last: if the workflow has never been on, they are not needed.
  if (rows.length === 0 || !(await getSettings(connection)).approvalWorkflow) return new Map();
  return new Map(
    rows.map(({ queryId, id, status }) => [
      queryId,
      { approval: id === null || status === null ? null : { id, status } },
    ]),
  );
}

/**
 * Called when a subscription is to run a query: requests approval if its version has none and no request exists. With
 * the workflow off, it runs immediately and counts as reviewed if the workflow is turned on again. The caller holds the
 * lock on the query.
 */
export async function requestFirstRun(
  tx: Transaction,
  queryId: number,
  { requestedById, schedule }: { requestedById: number; schedule: string },
): Promise<void> {
  const active = await findActive(tx, queryId);
  if (!active?.isUnreviewed) return;
  if (!(await getSettings(tx)).approvalWorkflow) {
    await markReviewed(tx, queryId);
    return supersedeRequests(tx, queryId, "run without approval");
  }
  await requestApproval(tx, {
    ...{ kind: "FirstRun", queryId, versionId: active.id, baseNumber: active.number, requestedById },
    summary: `Run on a schedule for the first time: ${schedule}`,
  });
}

/**
 * The number of the version that a subscription of the query runs. Throws not_found if there is none, and conflict
 * while its first run is not approved.
 */
export async function getVersionToRun(connection: Connection, queryId: number): Promise<number> {
  const active = await findActive(connection, queryId);
  if (!active) throw new Problem("not_found", "Query not found");
  if (active.isUnreviewed && (await getSettings(connection)).approvalWorkflow)
    throw new Problem("conflict", "An Admin must approve this query before a subscription can run it");
  return active.number;
}

/** Of queries that are not archived, the number of the version that subscriptions may run whatever the settings are. */
export async function findVersionsToRun(
  connection: Connection,
  queryIds: readonly number[],
): Promise<Map<number, number>> {
  const found = await connection
    .select({ queryId: queryVersions.queryId, number: queryVersions.number })
    .from(queryVersions)
    .innerJoin(queries, eq(queries.id, queryVersions.queryId))
    .where(and(isOneOf(queries.id, queryIds), isActive, isNull(queries.archivedAt), not(isUnreviewed)));
  return new Map(found.map(({ queryId, number }) => [queryId, number]));
}

async function findActive(connection: Connection, queryId: number) {
  const [active] = await connection
    .select({
      id: queryVersions.id,
      number: queryVersions.number,
      isUnreviewed: sql<boolean>`${isUnreviewed}`,
    })
    .from(queryVersions)
    .innerJoin(queries, eq(queries.id, queryVersions.queryId))
    .where(and(eq(queryVersions.queryId, queryId), isActive));
  return active ?? null;
}

/** Lets subscriptions run the query's version, after approval. The caller holds the lock on the query. */
export async function markReviewed(tx: Transaction, queryId: number): Promise<void> {
  await tx
    .update(queries)
    // The query itself is unchanged, so it keeps its `updatedAt`.
    .set({ unreviewedVersion: null, updatedAt: sql`${queries.updatedAt}` })
    .where(eq(queries.id, queryId));
}

const isActive = eq(queryVersions.status, "Active");
const isUnreviewed = sql`(${queries.unreviewedVersion} is not distinct from ${queryVersions.number})`;
