import { and, desc, eq, inArray, isNull, or, type SQL, sql } from "drizzle-orm";
import { maySeeProject, type SignedIn } from "../../auth/principal.ts";
import { inVisibleProject } from "../../auth/visibility.ts";
import { type Connection, db, type Transaction } from "../../db/client.ts";
import { type Paging, paged } from "../../db/paged.ts";
import { containsWord, wordsIn } from "../../db/words.ts";
import { Problem } from "../../errors.ts";
import { withdrawNotifications } from "../../notifications/service/withdraw.ts";
import {
  type ApprovalKind,
  type ApprovalStatus,
  kindsSupersededBy,
  type QueryOccurrence,
} from "../approval-kinds.ts";
import { waitsKey } from "../approval-notification.ts";
import { queries, queryApprovals, queryVersions } from "../tables.ts";
import { lockQuery } from "./queries.ts";
import { tellDeciders } from "./tell-deciders.ts";

/** A request to approve something before it happens to a query, pending or ended. */
export type ApprovalRequest = Awaited<ReturnType<typeof select>>[number];

const columns = {
  id: queryApprovals.id,
  kind: queryApprovals.kind,
  status: queryApprovals.status,
  queryId: queries.id,
  queryName: queries.name,
  projectId: queries.projectId,
  number: queryVersions.number,
  authorId: queryVersions.createdById,
  changeSummary: queryApprovals.summary,
  requesterId: queryApprovals.requestedById,
  createdAt: queryApprovals.createdAt,
  reviewerId: queryApprovals.decidedById,
  comment: queryApprovals.decisionComment,
  decidedAt: queryApprovals.decidedAt,
  isDecisionRead: sql<boolean>`${queryApprovals.decisionReadAt} is not null`,
  baseNumber: queryApprovals.baseNumber,
};

/** Requests of archived queries are hidden, except the one that archived the query. */
const isShown = or(
  isNull(queries.archivedAt),
  and(eq(queryApprovals.kind, "Archive"), eq(queryApprovals.status, "Approved")),
);

const select = (connection: Connection, which: SQL | undefined) =>
  connection
    .select(columns)
    .from(queryApprovals)
    .innerJoin(queries, eq(queries.id, queryApprovals.queryId))
    .innerJoin(queryVersions, eq(queryVersions.id, queryApprovals.versionId))
    .where(and(isShown, which));

/** A page of the requests visible to the caller, newest first. */
export async function listRequests(
  { principal }: SignedIn,
  {
    kind,
    status,
    projectId,
    queryId,
    requesterId,
    search = "",
    ...page
  }: {
    kind?: ApprovalKind | undefined;
    status?: ApprovalStatus | undefined;
    projectId?: number | undefined;
    queryId?: number | undefined;
    requesterId?: number | undefined;
    search?: string | undefined;
  } & Paging,
) {
  const which = and(
    inVisibleProject(principal, queries.projectId),
    projectId === undefined ? undefined : eq(queries.projectId, projectId),
    queryId === undefined ? undefined : eq(queries.id, queryId),
    requesterId === undefined ? undefined : eq(queryApprovals.requestedById, requesterId),
    kind === undefined ? undefined : eq(queryApprovals.kind, kind),
    status === undefined ? undefined : eq(queryApprovals.status, status),
    ...wordsIn(search).map((word) =>
      or(containsWord(queries.name, word), containsWord(queryApprovals.summary, word)),
    ),
  );
  const count = async () => {
    const [counted] = await db
      .select({ count: sql<number>`count(*)::int` })
      .from(queryApprovals)
      .innerJoin(queries, eq(queries.id, queryApprovals.queryId))
      .where(and(isShown, which));
    return counted?.count ?? 0;
  };
  return paged(page, count, ({ limit, offset }) =>
    select(db, which).orderBy(desc(queryApprovals.id)).limit(limit).offset(offset),
  );
}

/** null if the request does not exist, its query is archived, or the caller cannot access its project. */
export async function findRequest(
  { principal }: SignedIn,
  id: number,
  connection: Connection = db,
): Promise<ApprovalRequest | null> {
  const [row] = await select(connection, eq(queryApprovals.id, id));
  return row && maySeeProject(principal, row.projectId) ? row : null;
}

/**
 * The same, with its query locked until the transaction ends, so that decisions and edits of a query run one at a time.
 */
export async function lockRequest(
  tx: Transaction,
  ctx: SignedIn,
  id: number,
): Promise<ApprovalRequest | null> {
  const found = await findRequest(ctx, id, tx);
  if (found?.status !== "Pending") return found;
  await lockQuery(tx, ctx, found.queryId);
  return findRequest(ctx, id, tx);
}

/**
 * Requests approval, or returns the pending request for the same thing. `versionId` is the version in question,
 * `baseNumber` the number of the version that runs. The caller holds the lock on the query. Returns the request's id.
 */
export async function requestApproval(
  tx: Transaction,
  request: Pick<
    typeof queryApprovals.$inferInsert,
    "kind" | "queryId" | "versionId" | "baseNumber" | "summary" | "requestedById"
  >,
): Promise<number> {
  const [made] = await tx
    .insert(queryApprovals)
    .values(request)
    .onConflictDoNothing()
    .returning({ id: queryApprovals.id });
  if (made) {
    await tellDeciders(tx, made.id);
    return made.id;
  }
  const [waiting] = await tx
    .select({ id: queryApprovals.id })
    .from(queryApprovals)
    .where(and(isPendingOf(request.queryId), eq(queryApprovals.kind, request.kind)));
  if (!waiting) throw new Error("A request that is not made is there already");
  return waiting.id;
}

/** Whether the query has a pending request. */
export async function hasPendingRequest(connection: Connection, queryId: number): Promise<boolean> {
  return (await connection.$count(queryApprovals, isPendingOf(queryId))) > 0;
}

/** Ends pending requests made obsolete by an event of the query. */
export async function supersedeRequests(
  tx: Transaction,
  queryId: number,
  occurrence: QueryOccurrence,
): Promise<void> {
  const superseded = await tx
    .update(queryApprovals)
    .set({ status: "Superseded" })
    .where(and(isPendingOf(queryId), inArray(queryApprovals.kind, kindsSupersededBy(occurrence))))
    .returning({ id: queryApprovals.id });
  await withdrawRequests(
    tx,
    superseded.map(({ id }) => id),
  );
}

/** Records a decision, with its author and reason. Throws conflict if the request is no longer pending. */
export async function recordDecision(
  tx: Transaction,
  id: number,
  decision: {
    status: "Approved" | "Rejected";
    reviewerId: number;
    comment: string | null;
    /** Whether the requester knows it already, having decided. */
    isRead: boolean;
  },
): Promise<void> {
  const decided = await tx
    .update(queryApprovals)
    .set({
      status: decision.status,
      decidedById: decision.reviewerId,
      decisionComment: decision.comment,
      decidedAt: sql`clock_timestamp()`,
      ...(decision.isRead && { decisionReadAt: sql`clock_timestamp()` }),
    })
    .where(and(eq(queryApprovals.id, id), eq(queryApprovals.status, "Pending")))
    .returning({ id: queryApprovals.id });
  if (decided.length === 0) throw new Problem("conflict", "The approval is not pending");
  await withdrawRequests(tx, [id]);
}

/** Nobody who has not been told yet is told that they wait. */
const withdrawRequests = (tx: Transaction, ids: readonly number[]) =>
  withdrawNotifications(tx, { kind: "Approval", ids }, waitsKey);

/** Records that the requester has read the decision; the first time counts. */
export async function recordReading(id: number): Promise<void> {
  await db
    .update(queryApprovals)
    .set({ decisionReadAt: sql`clock_timestamp()` })
    .where(and(eq(queryApprovals.id, id), isNull(queryApprovals.decisionReadAt)));
}

const isPendingOf = (queryId: number) =>
  and(eq(queryApprovals.queryId, queryId), eq(queryApprovals.status, "Pending"));
