import { and, desc, eq, inArray, isNull, or, type SQL, sql } from "drizzle-orm";
import { maySeeProject, type SignedIn } from "../../auth/principal.ts";
import { inVisibleProject } from "../../auth/visibility.ts";
import { type Connection, db, type Transaction } from "../../db/client.ts";
import { type Paging, paged } from "../../db/paged.ts";
import { holdsWord, wordsIn } from "../../db/words.ts";
import { Problem } from "../../errors.ts";
import {
  type ApprovalKind,
  type ApprovalStatus,
  kindsSupersededBy,
  type QueryOccurrence,
} from "../approval-kinds.ts";
import { queries, queryApprovals, queryVersions } from "../tables.ts";
import { lockQuery } from "./queries.ts";

/** What somebody has to approve, or had to, before it happens to a query. */
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
  baseNumber: queryApprovals.baseNumber,
};

/** Requests of archived queries are gone with them, but for the one by which the query was archived. */
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

/** A page of the requests that the caller may see, newest first. */
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
      or(holdsWord(queries.name, word), holdsWord(queryApprovals.summary, word)),
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

/** null for one that is not there, of an archived query, or in a project that the caller may not see. */
export async function findRequest(
  { principal }: SignedIn,
  id: number,
  connection: Connection = db,
): Promise<ApprovalRequest | null> {
  const [row] = await select(connection, eq(queryApprovals.id, id));
  return row && maySeeProject(principal, row.projectId) ? row : null;
}

/** The same, with its query held until the transaction ends: decisions and edits of one query take turns. */
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
 * Asks for approval; where the same already waits, it is that request. `versionId` is the version that it is about,
 * `baseNumber` the number of the one that runs. The caller holds the query. Answers the request's id.
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
  if (made) return made.id;
  const [waiting] = await tx
    .select({ id: queryApprovals.id })
    .from(queryApprovals)
    .where(and(isPendingOf(request.queryId), eq(queryApprovals.kind, request.kind)));
  if (!waiting) throw new Error("A request that is not made is there already");
  return waiting.id;
}

/** Whether anything about a query waits for approval. */
export async function hasPendingRequest(connection: Connection, queryId: number): Promise<boolean> {
  return (await connection.$count(queryApprovals, isPendingOf(queryId))) > 0;
}

/** Ends what waits and has become pointless by what happens to the query. */
export async function supersedeRequests(
  tx: Transaction,
  queryId: number,
  occurrence: QueryOccurrence,
): Promise<void> {
  await tx
    .update(queryApprovals)
    .set({ status: "Superseded" })
    .where(and(isPendingOf(queryId), inArray(queryApprovals.kind, kindsSupersededBy(occurrence))));
}

/** Writes down what was decided, by whom, and why. Throws conflict for a request that does not wait any more. */
export async function recordDecision(
  tx: Transaction,
  id: number,
  decision: { status: "Approved" | "Rejected"; reviewerId: number; comment: string | null },
): Promise<void> {
  const decided = await tx
    .update(queryApprovals)
    .set({
      status: decision.status,
      decidedById: decision.reviewerId,
      decisionComment: decision.comment,
      decidedAt: sql`clock_timestamp()`,
    })
    .where(and(eq(queryApprovals.id, id), eq(queryApprovals.status, "Pending")))
    .returning({ id: queryApprovals.id });
  if (decided.length === 0) throw new Problem("conflict", "The approval is not pending");
}

const isPendingOf = (queryId: number) =>
  and(eq(queryApprovals.queryId, queryId), eq(queryApprovals.status, "Pending"));
