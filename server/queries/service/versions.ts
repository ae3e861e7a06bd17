import { and, desc, eq, inArray, max, sql } from "drizzle-orm";
import type { SignedIn } from "../../auth/principal.ts";
import { namesOfUsers } from "../../auth/service/user-names.ts";
import { type Connection, db, type Transaction } from "../../db/client.ts";
import { Problem, violatedConstraint } from "../../errors.ts";
import type { Step, Version } from "../schema.ts";
import { queries, querySteps, queryVersions } from "../tables.ts";
import { statusAfter, statusOfEdit, type VersionEvent } from "../version-status.ts";
import { requestApproval, supersedeRequests } from "./approval-requests.ts";
import { notifyOwner } from "./owned-queries.ts";
import { getStoredQuery, loadSteps, queryNotFound } from "./queries.ts";

type StoredVersion = typeof queryVersions.$inferSelect;
type LoadedVersion = Omit<Version, "createdAt"> & { createdAt: Date };

/** Whether steps need approval before they run; set by the workflow. */
export type Approval = { needsApproval?: boolean };

/** A query's versions, newest first. */
export async function listVersions(ctx: SignedIn, queryId: number): Promise<{ items: LoadedVersion[] }> {
  await getStoredQuery(ctx, queryId);
  return { items: (await loadVersions([queryId])).get(queryId) ?? [] };
}

/** All versions by query, newest first. */
export async function loadVersions(queryIds: readonly number[]): Promise<Map<number, LoadedVersion[]>> {
  if (queryIds.length === 0) return new Map();
  const rows = await db
    .select()
    .from(queryVersions)
    .where(inArray(queryVersions.queryId, [...queryIds]))
    .orderBy(desc(queryVersions.number));
  const [stepsOf, users] = await Promise.all([
    loadSteps(
      db,
      rows.map(({ id }) => id),
    ),
    namesOfUsers(rows.map(({ createdById }) => createdById)),
  ]);
  const loaded = rows.map(({ id, queryId, number, status, changeSummary, createdById, createdAt }) => ({
    queryId,
    version: {
      number,
      status,
      steps: stepsOf.get(id) ?? [],
      changeSummary,
      createdBy: createdById === null ? null : (users.get(createdById) ?? null),
      createdAt,
    },
  }));
  const groups = Map.groupBy(loaded, ({ queryId }) => queryId);
  return new Map([...groups].map(([queryId, own]) => [queryId, own.map(({ version }) => version)]));
}

/** The active version with its steps. */
export async function getActiveVersion(connection: Connection, queryId: number) {
  const version = await findVersion(connection, queryId, "Active");
  if (!version) throw new Error(`Query ${queryId} has no active version`);
  return { ...version, steps: await stepsOf(connection, version) };
}

/** The number of the active version; null if the query does not exist. */
export async function findActiveVersionNumber(
  connection: Connection,
  queryId: number,
): Promise<number | null> {
  const [active] = await connection
    .select({ number: queryVersions.number })
    .from(queryVersions)
    .where(and(eq(queryVersions.queryId, queryId), eq(queryVersions.status, "Active")));
  return active?.number ?? null;
}

/** The number of the pending version; null if there is none. */
export async function findPendingVersionNumber(
  connection: Connection,
  queryId: number,
): Promise<number | null> {
  return (await findVersion(connection, queryId, "PendingApproval"))?.number ?? null;
}

/** Throws not_found for a version that the query does not have. */
export async function getVersion(connection: Connection, queryId: number, number: number) {
  const [version] = await connection
    .select()
    .from(queryVersions)
    .where(and(eq(queryVersions.queryId, queryId), eq(queryVersions.number, number)));
  if (!version) throw new Problem("not_found", "Version not found");
  return { ...version, steps: await stepsOf(connection, version) };
}

/**
 * Stores new steps of a query whose row the caller has locked: as the active version, archiving the previous one, or,
 * if approval is needed, as the pending one. In that case the requester's previous pending version is superseded, and
 * another user's is a conflict. The first version is always active, since nothing runs it yet; if it needs approval,
 * that is recorded. Returns the version's number.
 */
export async function storeVersion(
  tx: Transaction,
  queryId: number,
  version: { steps: readonly Step[]; changeSummary: string | null; createdById: number | null },
  { needsApproval = false }: Approval = {},
): Promise<number> {
  const active = await findVersion(tx, queryId, "Active");
  const status = active ? statusOfEdit({ needsApproval }) : "Active";
  if (status === "Active") await replaceActive(tx, queryId);
  else await supersedePending(tx, queryId, version.createdById);
  const [latest] = await tx
    .select({ number: max(queryVersions.number) })
    .from(queryVersions)
    .where(eq(queryVersions.queryId, queryId));
  const { steps, ...columns } = version;
  const [stored] = await tx
    .insert(queryVersions)
    .values({ ...columns, queryId, status, number: (latest?.number ?? 0) + 1 })
    .returning();
  if (!stored) throw new Error("The insert returned no version");
  if (!active && needsApproval)
    await tx.update(queries).set({ unreviewedVersion: stored.number }).where(eq(queries.id, queryId));
  try {
    await tx.insert(querySteps).values(steps.map((step) => ({ ...step, versionId: stored.id })));
  } catch (error) {
    if (violatedConstraint(error)?.includes("data_source_id"))
      throw new Problem("not_found", "Data source not found");
    throw error;
  }
  // With its steps stored: those who decide are shown them.
  if (active && needsApproval)
    await requestApproval(tx, {
      ...{ kind: "Change", queryId, versionId: stored.id, baseNumber: active.number },
      ...{ summary: version.changeSummary, requestedById: version.createdById },
    });
  return stored.number;
}

/**
 * Approves the pending version: it becomes active and the previous one is archived. Throws not_found for an archived
 * query or an unknown version, and conflict if the query is locked or the version is not pending.
 */
export async function activateVersion(tx: Transaction, version: VersionReference): Promise<void> {
  const { isLocked, found } = await lockVersion(tx, version);
  if (isLocked) throw new Problem("conflict", "Query is locked");
  rejectUnless(statusAfter(found.status, "approve"));
  await replaceActive(tx, version.queryId);
  await move(tx, found, "approve");
  await tx.update(queries).set({ updatedAt: new Date() }).where(eq(queries.id, version.queryId));
}

/** Rejects the pending version; the active one is unchanged. Throws like `activateVersion`, except for locks. */
export async function rejectVersion(tx: Transaction, version: VersionReference): Promise<void> {
  const { found } = await lockVersion(tx, version);
  await move(tx, found, "reject");
}

type VersionReference = { queryId: number; number: number };

async function lockVersion(tx: Transaction, { queryId, number }: VersionReference) {
  const [query] = await tx
    .select({ isLocked: queries.isLocked })
    .from(queries)
    .where(and(eq(queries.id, queryId), sql`${queries.archivedAt} is null`))
    .for("update");
  if (!query) throw queryNotFound();
  return { isLocked: query.isLocked, found: await getVersion(tx, queryId, number) };
}

async function replaceActive(tx: Transaction, queryId: number): Promise<void> {
  const active = await findVersion(tx, queryId, "Active");
  if (!active) return;
  await move(tx, active, "replace");
  await supersedeRequests(tx, queryId, "other version active");
  await notifyOwner(tx, queryId);
}

async function supersedePending(tx: Transaction, queryId: number, createdById: number | null) {
  const pending = await findVersion(tx, queryId, "PendingApproval");
  if (!pending) return;
  if (pending.createdById !== createdById)
    throw new Problem("conflict", "Another change to this query is pending approval");
  await move(tx, pending, "supersede");
  await supersedeRequests(tx, queryId, "edited again");
}

/** Matching the old status makes the second of two racing transitions lose. */
async function move(tx: Transaction, { id, status }: StoredVersion, event: VersionEvent): Promise<void> {
  const after = rejectUnless(statusAfter(status, event));
  const moved = await tx
    .update(queryVersions)
    .set({ status: after })
    .where(and(eq(queryVersions.id, id), eq(queryVersions.status, status)))
    .returning({ id: queryVersions.id });
  rejectUnless(moved[0] ?? null);
}

function rejectUnless<T>(possible: T | null): T {
  if (possible === null) throw new Problem("conflict", "The version is not pending approval");
  return possible;
}

async function findVersion(connection: Connection, queryId: number, status: "Active" | "PendingApproval") {
  const [version] = await connection
    .select()
    .from(queryVersions)
    .where(and(eq(queryVersions.queryId, queryId), eq(queryVersions.status, status)));
  return version ?? null;
}

async function stepsOf(connection: Connection, { id }: StoredVersion): Promise<Step[]> {
  return (await loadSteps(connection, [id])).get(id) ?? [];
}
