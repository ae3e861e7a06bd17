import { and, desc, eq, inArray, isNotNull, isNull, type SQL, sql } from "drizzle-orm";
import { maySeeProject, type SignedIn } from "../../auth/principal.ts";
import { inVisibleProject } from "../../auth/visibility.ts";
import { type Connection, db, type Transaction } from "../../db/client.ts";
import { type Paging, paged } from "../../db/paged.ts";
import type { VersionStatus } from "../schema.ts";
import { queries, queryVersions } from "../tables.ts";
import { lockQuery } from "./queries.ts";

/**
 * Changes of queries that somebody has, or had, to approve: the versions that were made to wait. A request is its
 * version, by the same id, so that none is without the other.
 */

export const requestStatuses = ["Pending", "Approved", "Rejected", "Superseded"] as const;
export type RequestStatus = (typeof requestStatuses)[number];

/** What a version's status says of its request: an approved one runs, or has run. */
const versionStatusesOf: Record<RequestStatus, VersionStatus[]> = {
  Pending: ["PendingApproval"],
  Approved: ["Active", "Archived"],
  Rejected: ["Rejected"],
  Superseded: ["Superseded"],
};

export type ChangeRequest = NonNullable<Awaited<ReturnType<typeof findChangeRequest>>>;

const columns = {
  id: queryVersions.id,
  queryId: queries.id,
  queryName: queries.name,
  projectId: queries.projectId,
  number: queryVersions.number,
  versionStatus: queryVersions.status,
  changeSummary: queryVersions.changeSummary,
  requesterId: queryVersions.createdById,
  createdAt: queryVersions.createdAt,
  reviewerId: queryVersions.decidedById,
  comment: queryVersions.decisionComment,
  decidedAt: queryVersions.decidedAt,
  baseNumber: queryVersions.baseNumber,
};

const select = (connection: Connection, which: SQL | undefined) =>
  connection
    .select(columns)
    .from(queryVersions)
    .innerJoin(queries, eq(queries.id, queryVersions.queryId))
    .where(and(isNotNull(queryVersions.baseNumber), isNull(queries.archivedAt), which));

type Row = Awaited<ReturnType<typeof select>>[number];

function requestOf({ versionStatus, baseNumber, ...row }: Row) {
  const status = requestStatuses.find((each) => versionStatusesOf[each].includes(versionStatus));
  if (!status || baseNumber === null) throw new Error(`Version ${row.id} is no request`);
  return { ...row, status, baseNumber };
}

/** A page of the requests that the caller may see, newest first; those of archived queries are gone with them. */
export async function listChangeRequests(
  { principal }: SignedIn,
  {
    status,
    projectId,
    queryId,
    requesterId,
    ...page
  }: {
    status?: RequestStatus | undefined;
    projectId?: number | undefined;
    queryId?: number | undefined;
    requesterId?: number | undefined;
  } & Paging,
) {
  const which = and(
    inVisibleProject(principal, queries.projectId),
    projectId === undefined ? undefined : eq(queries.projectId, projectId),
    queryId === undefined ? undefined : eq(queries.id, queryId),
    requesterId === undefined ? undefined : eq(queryVersions.createdById, requesterId),
    status === undefined ? undefined : inArray(queryVersions.status, versionStatusesOf[status]),
  );
  const count = async () => {
    const [counted] = await db
      .select({ count: sql<number>`count(*)::int` })
      .from(queryVersions)
      .innerJoin(queries, eq(queries.id, queryVersions.queryId))
      .where(and(isNotNull(queryVersions.baseNumber), isNull(queries.archivedAt), which));
    return counted?.count ?? 0;
  };
  return paged(page, count, async ({ limit, offset }) =>
    (await select(db, which).orderBy(desc(queryVersions.id)).limit(limit).offset(offset)).map(requestOf),
  );
}

/** null for one that is not there, of an archived query, or in a project that the caller may not see. */
export async function findChangeRequest({ principal }: SignedIn, id: number, connection: Connection = db) {
  const [row] = await select(connection, eq(queryVersions.id, id));
  return row && maySeeProject(principal, row.projectId) ? requestOf(row) : null;
}

/** The same, with its query held until the transaction ends: decisions and edits of one query take turns. */
export async function lockChangeRequest(
  tx: Transaction,
  ctx: SignedIn,
  id: number,
): Promise<ChangeRequest | null> {
  const found = await findChangeRequest(ctx, id, tx);
  if (!found) return null;
  await lockQuery(tx, ctx, found.queryId);
  return findChangeRequest(ctx, id, tx);
}

/** Writes down who has decided a request, and why. */
export async function recordDecision(
  tx: Transaction,
  id: number,
  decision: { reviewerId: number; comment: string | null },
): Promise<void> {
  await tx
    .update(queryVersions)
    .set({
      decidedById: decision.reviewerId,
      decisionComment: decision.comment,
      decidedAt: sql`clock_timestamp()`,
    })
    .where(eq(queryVersions.id, id));
}
