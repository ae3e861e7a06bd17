import { and, desc, eq, inArray, sql } from "drizzle-orm";
import { type Connection, db, type Transaction } from "../../db/client.ts";
import { Problem } from "../../errors.ts";
import { getSettings } from "../../settings/service.ts";
import type { ApprovalStatus } from "../approval-kinds.ts";
import { queries, queryApprovals, queryVersions } from "../tables.ts";
import { requestApproval, supersedeRequests } from "./approval-requests.ts";

/**
 * A query that was made while the workflow is on may be looked at and previewed, but no subscription runs it before
 * an Admin has approved what it runs. It waits as long as the workflow is on: switched off, everything runs at once.
 */

/** Why subscriptions of a query do not run: the request that waits, or was rejected; null where nobody has asked. */
export type Hold = { approval: { id: number; status: ApprovalStatus } | null };

/** Those of the queries that no subscription may run yet, each with the last request about its first run. */
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
  // Asked for last: where the workflow was never on, there is nothing to ask about.
  if (rows.length === 0 || !(await getSettings(connection)).approvalWorkflow) return new Map();
  return new Map(
    rows.map(({ queryId, id, status }) => [
      queryId,
      { approval: id === null || status === null ? null : { id, status } },
    ]),
  );
}

/**
 * A subscription is about to run a query: where nobody has approved what it runs, that is asked for, unless it has
 * been asked already. While the workflow is off it runs at once, and counts as reviewed when the workflow is switched
 * on again. The caller holds the query.
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
 * The number of the version that a subscription of the query runs. Throws not_found where there is none, and conflict
 * while its first run is not approved.
 */
export async function getVersionToRun(connection: Connection, queryId: number): Promise<number> {
  const active = await findActive(connection, queryId);
  if (!active) throw new Problem("not_found", "Query not found");
  if (active.isUnreviewed && (await getSettings(connection)).approvalWorkflow)
    throw new Problem("conflict", "An Admin has to approve this query before a subscription runs it");
  return active.number;
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

/** From now on subscriptions run what the query has: somebody has approved it. The caller holds the query. */
export async function markReviewed(tx: Transaction, queryId: number): Promise<void> {
  await tx
    .update(queries)
    // Nothing is changed about the query itself.
    .set({ unreviewedVersion: null, updatedAt: sql`${queries.updatedAt}` })
    .where(eq(queries.id, queryId));
}

const isActive = eq(queryVersions.status, "Active");
const isUnreviewed = sql`(${queries.unreviewedVersion} is not distinct from ${queryVersions.number})`;
