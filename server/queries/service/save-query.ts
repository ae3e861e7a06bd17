import { isDeepStrictEqual } from "node:util";
import { eq } from "drizzle-orm";
import type { SignedIn } from "../../auth/principal.ts";
import { dialectOf } from "../../data-sources/dialects/dialects.ts";
import { listDataSources } from "../../data-sources/service/load-data-sources.ts";
import type { Alongside } from "../../db/alongside.ts";
import { db, type Transaction } from "../../db/client.ts";
import { nextRevision, rejectStale } from "../../edits/service.ts";
import { Problem, violatedConstraint } from "../../errors.ts";
import { getProject } from "../../projects/service.ts";
import { getSettings } from "../../settings/service.ts";
import { claimManaged, rejectManaged } from "../../stacks/service.ts";
import { changeSummaryOf } from "../change-summary.ts";
import type { createQueryInput, restoreVersionInput, Step, StepWrite, updateQueryInput } from "../schema.ts";
import { readSteps } from "../step-rules.ts";
import { queries } from "../tables.ts";
import { requireFolder } from "./folders.ts";
import { getQuery, getStoredQuery, type LoadedQuery, lockQuery, type StoredQuery } from "./queries.ts";
import { type Approval, getActiveVersion, getVersion, storeVersion } from "./versions.ts";

type Create = ReturnType<typeof createQueryInput.parse>;
type Update = ReturnType<typeof updateQueryInput.parse>;
type Restore = ReturnType<typeof restoreVersionInput.parse>;

/**
 * Creates a query with an active first version. If the approval workflow is on, no subscription runs it until it is
 * approved. Throws not_found for a project, folder, or data source that the caller cannot access or that belongs to
 * another project, and invalid for steps that do not fit their data sources.
 */
export async function createQuery(
  ctx: SignedIn,
  { projectId, folderId = null, name, description = null, ...write }: Create,
  {
    ownerActorId = null,
    approval,
    alongside,
  }: { ownerActorId?: number | null; approval?: Approval; alongside?: Alongside } = {},
): Promise<LoadedQuery> {
  await getProject(ctx, projectId);
  const steps = await stepsFor(ctx, projectId, write.steps);
  const createdById = ctx.principal.userId;
  const id = await db
    .transaction(async (tx) => {
      if (folderId !== null) await requireFolder(tx, ctx, folderId, projectId);
      const [query] = await tx
        .insert(queries)
        .values({ projectId, folderId, name, description, ownerActorId, createdById })
        .returning({ id: queries.id });
      if (!query) throw new Error("The insert returned no query");
      await claimManaged(tx, ctx, { kind: "Query", id: query.id, projectId, revision: 1 });
      const version = { steps, changeSummary: write.changeSummary ?? null, createdById };
      await storeVersion(tx, query.id, version, approval ?? (await requiredApproval(tx)));
      await alongside?.(tx, query.id);
      return query.id;
    })
    .catch((error) => {
      if (violatedConstraint(error)?.includes("project_id"))
        throw new Problem("not_found", "Project not found");
      throw error;
    });
  return getQuery(ctx, id);
}

/**
 * Replaces a query. Steps that differ from those of the active version create a version; the other changes apply
 * immediately. Throws like `createQuery`, and conflict if the query is locked, or someone else has edited it: its active version is
 * no longer `baseVersion`, or its revision no longer `baseRevision`. If the approval workflow is on, the new version is pending and the query runs on unchanged.
 */
export async function updateQuery(
  ctx: SignedIn,
  { id, projectId: claimed, folderId = null, name, description = null, ...write }: Update,
  approval?: Approval,
  alongside?: Alongside,
): Promise<LoadedQuery> {
  const { projectId } = await getStoredQuery(ctx, id);
  if (claimed !== undefined && claimed !== projectId)
    throw new Problem("invalid", "A query stays in its project", {
      errors: [{ path: "projectId", message: "cannot change: a query stays in its project" }],
    });
  const steps = await stepsFor(ctx, projectId, write.steps);
  await db.transaction(async (tx) => {
    const stored = await lockChangeable(tx, ctx, id);
    if (folderId !== null) await requireFolder(tx, ctx, folderId, projectId);
    const active = await getActiveVersion(tx, id);
    rejectFormerVersion(write.baseVersion, active.number);
    await rejectStale(tx, { ...editedOf(stored), baseRevision: write.baseRevision });
    await storeDetails(tx, ctx, stored, { name, description, folderId });
    if (!isDeepStrictEqual(active.steps, steps)) {
      const version = {
        steps,
        changeSummary: write.changeSummary ?? changeSummaryOf(active.steps, steps),
        createdById: ctx.principal.userId,
      };
      await storeVersion(tx, id, version, approval ?? (await requiredApproval(tx)));
    }
    await alongside?.(tx, id);
  });
  return getQuery(ctx, id);
}

const editedOf = ({ id, revision }: StoredQuery) => ({ kind: "Query", id, revision }) as const;

type Details = Partial<Pick<StoredQuery, "name" | "description" | "folderId">>;

/** Stores what a query is besides its steps, as its next revision. Its row is held. */
async function storeDetails(
  tx: Transaction,
  ctx: SignedIn,
  stored: StoredQuery,
  details: Details,
): Promise<void> {
  const { name, description, folderId } = stored;
  const before = { name, description, folderId };
  const after = { ...before, ...details };
  const revision = await nextRevision(tx, ctx, { ...editedOf(stored), before, after });
  await claimManaged(tx, ctx, { kind: "Query", id: stored.id, projectId: stored.projectId, revision });
  await tx
    .update(queries)
    .set({ ...after, revision })
    .where(eq(queries.id, stored.id));
}

/**
 * Creates a new version with the steps of an old one, unless the active version has the same steps. Throws not_found,
 * and conflict if the query is locked or the old version is pending approval.
 */
export async function restoreVersion(
  ctx: SignedIn,
  { id, number, changeSummary }: Restore,
  approval?: Approval,
): Promise<LoadedQuery> {
  await db.transaction(async (tx) => {
    await lockChangeable(tx, ctx, id);
    const { steps, status } = await getVersion(tx, id, number);
    if (status === "PendingApproval")
      throw new Problem("conflict", `Version ${number} is waiting for approval`);
    if (isDeepStrictEqual((await getActiveVersion(tx, id)).steps, steps)) return;
    const version = {
      steps,
      changeSummary: changeSummary ?? `Restored version ${number}`,
      createdById: ctx.principal.userId,
    };
    await storeVersion(tx, id, version, approval ?? (await requiredApproval(tx)));
    await tx.update(queries).set({ updatedAt: new Date() }).where(eq(queries.id, id));
  });
  return getQuery(ctx, id);
}

/** Whether the workflow requires approval of steps, whoever writes them. */
async function requiredApproval(tx: Transaction): Promise<Approval> {
  return { needsApproval: (await getSettings(tx)).approvalWorkflow };
}

/** Moves a query to a folder of its project, or to the top. Throws as saving does. */
export async function moveQuery(
  ctx: SignedIn,
  { id, folderId = null }: { id: number; folderId?: number | null | undefined },
): Promise<{ name: string }> {
  return db.transaction(async (tx) => {
    const stored = await lockChangeable(tx, ctx, id);
    if (folderId !== null) await requireFolder(tx, ctx, folderId, stored.projectId);
    await storeDetails(tx, ctx, stored, { folderId });
    return { name: stored.name };
  });
}

/**
 * The query's row, locked for a change. Throws not_found, and conflict if the query is locked against changes or managed as
 * code.
 */
export async function lockChangeable(tx: Transaction, ctx: SignedIn, id: number): Promise<StoredQuery> {
  const query = await lockQuery(tx, ctx, id);
  if (query.isLocked) throw new Problem("conflict", "Query is locked");
  await rejectManaged(tx, ctx, { kind: "Query", id });
  return query;
}

/** Steps as stored, after checking that their data sources belong to the project. */
export async function stepsFor(
  ctx: SignedIn,
  projectId: number,
  written: readonly StepWrite[],
): Promise<Step[]> {
  const { items } = await listDataSources(ctx, { projectId });
  const kindOf = new Map(items.map(({ id, kind }) => [id, kind]));
  return readSteps(written, (dataSourceId) => {
    const kind = kindOf.get(dataSourceId);
    if (!kind) throw new Problem("not_found", "Data source not found");
    return dialectOf(kind);
  });
}

function rejectFormerVersion(baseVersion: number | undefined, active: number): void {
  if (baseVersion !== undefined && baseVersion !== active)
    throw new Problem("conflict", `The query has changed: its active version is ${active}`);
}
