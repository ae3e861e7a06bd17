import { isDeepStrictEqual } from "node:util";
import { eq } from "drizzle-orm";
import type { SignedIn } from "../../auth/principal.ts";
import { getEngine } from "../../data-sources/engines/engines.ts";
import { listDataSources } from "../../data-sources/service.ts";
import type { Alongside } from "../../db/alongside.ts";
import { db, type Transaction } from "../../db/client.ts";
import { Problem, violatedConstraint } from "../../errors.ts";
import { getProject } from "../../projects/service.ts";
import { getSettings } from "../../settings/service.ts";
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
 * Creates a query, whose first version is active. Where the workflow asks for approval, no subscription runs it before
 * somebody has approved it. Throws not_found for a project, folder or data source that the caller
 * may not see or that is of another project, and invalid for steps that do not fit their data sources.
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
 * Replaces a query. Steps that differ from those of the active version make a version; the rest changes at once.
 * Throws like `createQuery`, and conflict for a query that is locked, or whose active version is no longer
 * `baseVersion`. Where the workflow asks for approval the version waits, and the query runs on unchanged.
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
      errors: [{ path: "projectId", message: "is not the query's own: a query stays in its project" }],
    });
  const steps = await stepsFor(ctx, projectId, write.steps);
  await db.transaction(async (tx) => {
    await lockChangeable(tx, ctx, id);
    if (folderId !== null) await requireFolder(tx, ctx, folderId, projectId);
    const active = await getActiveVersion(tx, id);
    refuseStale(write.baseVersion, active.number);
    await tx.update(queries).set({ folderId, name, description }).where(eq(queries.id, id));
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

/**
 * Makes a new version of an old one's steps, unless they are those that run. Throws not_found, and conflict for a
 * query that is locked and for a version that waits for approval.
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

/** What the workflow asks of all steps, whoever writes them. */
async function requiredApproval(tx: Transaction): Promise<Approval> {
  return { needsApproval: (await getSettings(tx)).approvalWorkflow };
}

/** The row of a query, held for a change. Throws not_found, and conflict when it is locked. */
export async function lockChangeable(tx: Transaction, ctx: SignedIn, id: number): Promise<StoredQuery> {
  const query = await lockQuery(tx, ctx, id);
  if (query.isLocked) throw new Problem("conflict", "Query is locked");
  return query;
}

/** Steps as they are stored, once each data source that they name is found to be the project's. */
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
    return getEngine(kind).dialect;
  });
}

function refuseStale(baseVersion: number | undefined, active: number): void {
  if (baseVersion !== undefined && baseVersion !== active)
    throw new Problem("conflict", `The query was changed in the meantime: its active version is ${active}`);
}
