import { and, asc, eq, ne } from "drizzle-orm";
import { maySeeProject, type SignedIn } from "../../auth/principal.ts";
import { recorded } from "../../auth/recorded.ts";
import { inVisibleProject } from "../../auth/visibility.ts";
import { isDatabaseKind } from "../../data-sources/kinds.ts";
import { getDataSource } from "../../data-sources/service/load-data-sources.ts";
import { db, type Transaction } from "../../db/client.ts";
import { listEdits, nextRevision, rejectStale } from "../../edits/service.ts";
import { invalidRequest, Problem, violatedConstraint } from "../../errors.ts";
import { databaseNow } from "../../jobs/schedules.ts";
import { requireRecipients } from "../../notifications/service/recipients.ts";
import { claimManaged, releaseManaged } from "../../stacks/service.ts";
import type { ActorWrite } from "../schema.ts";
import { actorStatusAfter } from "../states.ts";
import { actorRecipients, actors } from "../tables.ts";
import { type Begun, beginCycle, hasOpenSetUp } from "./begin-cycle.ts";
import { workOn } from "./cycles.ts";
import { expirePlans } from "./expire-plans.ts";
import {
  actorNotFound,
  getActorRow,
  loadBelongings,
  lockActor,
  type StoredActor,
  shownActors,
} from "./load-actors.ts";
import { requireTables } from "./require-tables.ts";
import { withdrawPlans } from "./tell-about-plan.ts";

/** The unarchived actors visible to the caller, by name. */
export async function listActors(ctx: SignedIn, { projectId }: { projectId?: number | undefined } = {}) {
  const rows = await db
    .select()
    .from(actors)
    .where(
      and(
        ne(actors.status, "Archived"),
        inVisibleProject(ctx.principal, actors.projectId),
        projectId === undefined ? undefined : eq(actors.projectId, projectId),
      ),
    )
    .orderBy(asc(actors.name), asc(actors.id));
  return { items: await shownActors(ctx, rows) };
}

/** Throws not_found. */
export async function getActor(ctx: SignedIn, id: number) {
  return { ...(await getShown(ctx, id)), ...(await loadBelongings(id)) };
}

async function getShown(ctx: SignedIn, id: number) {
  const [shown] = await shownActors(ctx, [await getActorRow(ctx, id)]);
  if (!shown) throw actorNotFound();
  return shown;
}

/**
 * Creates an actor, as a Draft; if it is to be activated immediately, its initial setup begins too. Throws not_found
 * for a data source or recipient that the caller cannot access, rejected for a data source that does not run SQL, and
 * invalid for recipients of another project and for unknown tables.
 */
export async function createActor(ctx: SignedIn, write: ActorWrite) {
  const source = await getDataSource(ctx, write.dataSourceId);
  if (!isDatabaseKind(source.kind))
    throw new Problem("rejected", "An AI actor's data source must be a database type");
  await requireWished(ctx, source.id, write);
  const make = async (tx: Transaction) => {
    const [actor] = await tx
      .insert(actors)
      .values({
        ...columnsOf(write),
        projectId: source.projectId,
        dataSourceId: source.id,
        createdById: ctx.principal.userId,
      })
      .returning();
    if (!actor) throw new Error("The insert returned no actor");
    await writeRecipients(tx, ctx, actor.id, write.defaultRecipientIds, actor.projectId);
    const { id, projectId, revision } = actor;
    await claimManaged(tx, ctx, { kind: "Actor", id, projectId, revision });
    if (write.activateImmediately)
      workOn(await beginCycle(tx, actor, { trigger: "InitialSetup", requestedById: ctx.principal.userId }));
    return actor.id;
  };
  return recorded(ctx, async () => getShown(ctx, await db.transaction(make))).catch((error) => {
    if (violatedConstraint(error)?.includes("data_source_id"))
      throw new Problem("not_found", "Data source not found");
    throw error;
  });
}

/**
 * Replaces an actor's settings, except its data source; what it has created is unchanged. Throws like `createActor`, and
 * conflict if the caller's revision is no longer current.
 */
export async function updateActor(
  ctx: SignedIn,
  {
    id,
    baseRevision,
    dataSourceId,
    ...write
  }: Omit<ActorWrite, "dataSourceId"> & {
    id: number;
    baseRevision?: number | undefined;
    dataSourceId?: number | undefined;
  },
) {
  const row = await getActorRow(ctx, id);
  if (dataSourceId !== undefined && dataSourceId !== row.dataSourceId)
    throw invalidRequest([
      { path: "dataSourceId", message: "cannot change: an actor keeps its data source" },
    ]);
  await requireWished(ctx, row.dataSourceId, write);
  const change = async (tx: Transaction) => {
    const actor = await lockActor(tx, id);
    if (actor.status === "Archived") throw actorNotFound();
    const edited = { kind: "Actor", id, revision: actor.revision } as const;
    await rejectStale(tx, { ...edited, baseRevision });
    const before = await editedState(tx, id);
    await tx.update(actors).set(columnsOf(write)).where(eq(actors.id, id));
    await tx.delete(actorRecipients).where(eq(actorRecipients.actorId, id));
    await writeRecipients(tx, ctx, actor.id, write.defaultRecipientIds, actor.projectId);
    const revision = await nextRevision(tx, ctx, { ...edited, before, after: await editedState(tx, id) });
    await claimManaged(tx, ctx, { kind: "Actor", id, projectId: actor.projectId, revision });
    await tx.update(actors).set({ revision }).where(eq(actors.id, id));
  };
  return recorded(ctx, async () => {
    await db.transaction(change);
    return getShown(ctx, id);
  });
}

/** An actor's edits, oldest first; after a revision, or all that are kept. Throws not_found. */
export async function listActorEdits(
  ctx: SignedIn,
  { id, since }: { id: number; since?: number | undefined },
) {
  await getActorRow(ctx, id);
  return { items: await listEdits(db, { kind: "Actor", id }, since) };
}

/** Everything an edit writes, as stored, under the names of the request body. */
async function editedState(tx: Transaction, id: number) {
  const [row] = await tx.select().from(actors).where(eq(actors.id, id));
  if (!row) throw actorNotFound();
  const recipients = await tx
    .select({ id: actorRecipients.recipientId })
    .from(actorRecipients)
    .where(eq(actorRecipients.actorId, id))
    .orderBy(asc(actorRecipients.recipientId));
  const { name, instructions, additionalContext, wishes, maxQueries, maxSubscriptionsPerQuery } = row;
  const { activateImmediately, requiresApproval, budgetTokens, budgetCost } = row;
  return {
    ...{ name, instructions, additionalContext, wishes, maxQueries, maxSubscriptionsPerQuery },
    ...{ activateImmediately, requiresApproval, monthlyBudget: [budgetTokens, budgetCost] },
    defaultRecipientIds: recipients.map((recipient) => recipient.id),
  };
}

/** Until it is resumed, no think cycle begins, and one in progress proposes nothing. Throws conflict unless Active. */
export async function pauseActor(ctx: SignedIn, id: number) {
  await getActorRow(ctx, id);
  await db.transaction(async (tx) => {
    const actor = await lockActor(tx, id);
    if (actor.status !== "Paused") await move(tx, actor, "pause");
  });
  return getShown(ctx, id);
}

/**
 * Makes an actor Active and clears its last error. If it was never set up, its setup begins. An actor that is already
 * Active is left alone.
 */
export async function resumeActor(ctx: SignedIn, id: number) {
  await getActorRow(ctx, id);
  const begun = await db.transaction(async (tx): Promise<Begun | null> => {
    const actor = await lockActor(tx, id);
    if (actor.status === "Active") return null;
    await move(tx, actor, "resume");
    if (actor.setUpAt !== null || (await hasOpenSetUp(tx, id))) return null;
    return beginCycle(tx, actor, { trigger: "InitialSetup", requestedById: ctx.principal.userId });
  });
  if (begun) workOn(begun);
  return getShown(ctx, id);
}

/** Archives an actor and expires its pending plans. Its queries and subscriptions stay and keep running. */
export async function archiveActor(ctx: SignedIn, id: number): Promise<{ name: string }> {
  const { name } = await getActorRow(ctx, id);
  await db.transaction(async (tx) => {
    const actor = await lockActor(tx, id);
    if (actor.status === "Archived") throw actorNotFound();
    await releaseManaged(tx, ctx, { kind: "Actor", id });
    await move(tx, actor, "archive");
    await tx
      .update(actors)
      .set({ archivedAt: await databaseNow(tx) })
      .where(eq(actors.id, id));
    await expirePlans(tx, actor, "The actor was archived");
    await withdrawPlans(tx, actor);
  });
  return { name };
}

/**
 * Restores an archived actor as Paused, or as a Draft if it was never set up, so that it does nothing until someone
 * resumes it. Does nothing if it is not archived. Throws not_found.
 */
export async function unarchiveActor(ctx: SignedIn, id: number) {
  await db.transaction(async (tx) => {
    const actor = await lockActor(tx, id);
    if (!maySeeProject(ctx.principal, actor.projectId)) throw actorNotFound();
    if (actor.status !== "Archived") return;
    const status = actor.setUpAt === null ? "Draft" : "Paused";
    await tx.update(actors).set({ status, archivedAt: null }).where(eq(actors.id, id));
  });
  return getShown(ctx, id);
}

/** Matching the old status makes the second of two racing moves lose. */
async function move(tx: Transaction, { id, status }: StoredActor, event: "pause" | "resume" | "archive") {
  const after = actorStatusAfter(status, event);
  if (after === null) throw new Problem("conflict", "Actor is not active");
  await tx
    .update(actors)
    .set({ status: after, ...(event === "resume" && { lastError: null }) })
    .where(and(eq(actors.id, id), eq(actors.status, status)));
}

/** A file may wish for tables that are still to come. */
async function requireWished(
  ctx: SignedIn,
  dataSourceId: number,
  { wishes }: Pick<ActorWrite, "wishes">,
): Promise<void> {
  if (wishes && !ctx.actingStack) await requireTables(ctx, dataSourceId, wishes);
}

function columnsOf(write: Omit<ActorWrite, "dataSourceId">) {
  return {
    name: write.name,
    instructions: write.instructions,
    additionalContext: write.additionalContext ?? null,
    wishes: write.wishes ?? null,
    maxQueries: write.maxQueries,
    maxSubscriptionsPerQuery: write.maxSubscriptionsPerQuery,
    activateImmediately: write.activateImmediately,
    requiresApproval: write.requiresApproval,
    budgetTokens: write.monthlyBudget?.tokens ?? null,
    budgetCost: write.monthlyBudget?.cost ?? null,
  };
}

async function writeRecipients(
  tx: Transaction,
  ctx: SignedIn,
  actorId: number,
  recipientIds: readonly number[],
  projectId: number,
): Promise<void> {
  const ids = await requireRecipients(tx, ctx, recipientIds, {
    ...{ projectId, path: "defaultRecipientIds", belongsTo: "data source" },
  });
  if (ids.length > 0)
    await tx.insert(actorRecipients).values(ids.map((recipientId) => ({ actorId, recipientId })));
}
