import { eq, sql } from "drizzle-orm";
import type { SignedIn } from "../../auth/principal.ts";
import type { Alongside } from "../../db/alongside.ts";
import { db, type Transaction } from "../../db/client.ts";
import { fieldChanges } from "../../edits/field-changes.ts";
import { recordEdit, rejectStale } from "../../edits/service.ts";
import { type FieldError, invalidRequest, Problem } from "../../errors.ts";
import { nextRun } from "../../jobs/cron.ts";
import { databaseNow } from "../../jobs/schedules.ts";
import { requireRecipients } from "../../notifications/service/recipients.ts";
import { rejectPast, rejectSilenced, type Silence, silenceColumns } from "../../notifications/silence.ts";
import { requestFirstRun } from "../../queries/service/first-runs.ts";
import { holdQuery } from "../../queries/service/hold-query.ts";
import { getQuery } from "../../queries/service/queries.ts";
import { claimManaged, rejectManaged, releaseManaged } from "../../stacks/service.ts";
import type { SubscriptionUpdate, SubscriptionWrite } from "../schema.ts";
import { subscriptionRecipients, subscriptions } from "../tables.ts";
import {
  getSubscriptionRow,
  isSubscription,
  shownSubscriptions,
  subscriptionNotFound,
} from "./load-subscriptions.ts";
import { editedState } from "./subscription-edits.ts";

/** Throws not_found if the subscription does not exist, is archived, or the caller cannot access its project. */
export async function getSubscription(ctx: SignedIn, id: number) {
  const [shown] = await shownSubscriptions([await getSubscriptionRow(ctx, id)]);
  if (!shown) throw subscriptionNotFound();
  return shown;
}

/**
 * Creates a subscription owned by its creator. If the approval workflow is on and its query's version is not approved,
 * it does not run until it is. Throws not_found for a query or recipient that the caller cannot access, and invalid for
 * unknown or missing parameters and recipients of another project.
 */
export async function createSubscription(
  ctx: SignedIn,
  write: SubscriptionWrite,
  { aiActorId = null, alongside }: { aiActorId?: number | null; alongside?: Alongside } = {},
) {
  const query = await getQuery(ctx, write.queryId);
  rejectParameterMismatch(write.parameters, query.parameters);
  const id = await db.transaction(async (tx) => {
    const held = await holdQuery(tx, write.queryId);
    if (!held) throw new Problem("not_found", "Query not found");
    const now = await databaseNow(tx);
    const [created] = await tx
      .insert(subscriptions)
      .values({
        ...columnsOf(write),
        ...silenceColumns({ until: write.silencedUntil }, ctx.principal.userId),
        queryId: write.queryId,
        projectId: held.projectId,
        ownerId: ctx.principal.userId,
        aiActorId,
        nextRunAt: nextRunOf(write, now),
      })
      .returning({ id: subscriptions.id });
    if (!created) throw new Error("The insert returned no subscription");
    await claimManaged(tx, ctx, {
      ...{ kind: "Subscription", id: created.id, projectId: held.projectId, revision: 1 },
    });
    await writeRecipients(tx, ctx, created.id, write.recipientIds, held.projectId);
    await requestFirstRun(tx, write.queryId, firstRunOf(ctx, write));
    await alongside?.(tx, created.id);
    return created.id;
  });
  return getSubscription(ctx, id);
}

/**
 * Replaces a subscription, but not its query or owner. If its query was rejected, approval is requested again. Throws
 * like `createSubscription`, and conflict if the caller's revision is no longer current.
 */
export async function updateSubscription(ctx: SignedIn, { id, baseRevision, ...write }: SubscriptionUpdate) {
  const row = await getSubscriptionRow(ctx, id);
  if (write.queryId !== row.queryId)
    refuse([{ path: "queryId", message: "cannot change: a subscription keeps its query" }]);
  const query = await getQuery(ctx, row.queryId);
  rejectParameterMismatch(write.parameters, query.parameters);
  await db.transaction(async (tx) => {
    // Locked before the subscription, in the same order as when archiving the query.
    await holdQuery(tx, row.queryId);
    const [current] = await tx.select().from(subscriptions).where(isSubscription(id)).for("update");
    if (!current) throw subscriptionNotFound();
    await rejectStale(tx, { kind: "Subscription", id, revision: current.revision, baseRevision });
    const before = await editedState(tx, id);
    const sameSchedule =
      current.cronExpression === write.cronExpression && current.timezone === write.timezone;
    // An edit that leaves the schedule unchanged must not skip a run that is due but not yet claimed.
    const keepsRun = write.enabled && sameSchedule && current.nextRunAt !== null;
    const nextRunAt = keepsRun ? current.nextRunAt : nextRunOf(write, await databaseNow(tx));
    const revision = current.revision + 1;
    await tx
      .update(subscriptions)
      .set({ ...columnsOf(write), ...silenceOf(ctx, write, current), nextRunAt, revision })
      .where(eq(subscriptions.id, id));
    await tx.delete(subscriptionRecipients).where(eq(subscriptionRecipients.subscriptionId, id));
    await writeRecipients(tx, ctx, id, write.recipientIds, current.projectId);
    const changes = fieldChanges(before, await editedState(tx, id));
    await recordEdit(tx, ctx, { kind: "Subscription", id, revision, changes });
    await claimManaged(tx, ctx, { kind: "Subscription", id, projectId: current.projectId, revision });
    if (write.enabled) await requestFirstRun(tx, row.queryId, firstRunOf(ctx, write));
  });
  return getSubscription(ctx, id);
}

/** Archives a subscription: unschedules it and hides it from every list; its history is kept. */
export async function archiveSubscription(ctx: SignedIn, id: number, alongside?: Alongside) {
  const { queryId } = await getSubscriptionRow(ctx, id);
  await db.transaction(async (tx) => {
    await releaseManaged(tx, ctx, { kind: "Subscription", id });
    const archived = await tx
      .update(subscriptions)
      .set({ archivedAt: sql`now()`, nextRunAt: null })
      .where(isSubscription(id))
      .returning({ id: subscriptions.id });
    if (archived.length === 0) throw subscriptionNotFound();
    await alongside?.(tx, id);
  });
  return { queryId };
}

/**
 * Silences notifications until then, or ends the silence if there is no time. The subscription still runs. This counts
 * as an edit; otherwise a save that began before would end the silence.
 */
export async function silenceSubscription(ctx: SignedIn, given: { id: number } & Silence) {
  await silenceRow(ctx, given);
  return getSubscription(ctx, given.id);
}

/** The same, without loading it. Returns its query. */
export async function silenceRow(ctx: SignedIn, { id, ...silence }: { id: number } & Silence) {
  const { queryId } = await getSubscriptionRow(ctx, id);
  const { until = null } = silence;
  rejectPast(until);
  await db.transaction(async (tx) => {
    const [current] = await tx.select().from(subscriptions).where(isSubscription(id)).for("update");
    if (!current) throw subscriptionNotFound();
    rejectSilenced(silence, current.silencedUntil);
    const changes = fieldChanges({ silencedUntil: current.silencedUntil }, { silencedUntil: until });
    const set = silenceColumns(silence, ctx.principal.userId);
    if (changes.length === 0 && set.silenceReason === current.silenceReason) return;
    const revision = current.revision + 1;
    await tx
      .update(subscriptions)
      .set({ ...set, revision })
      .where(eq(subscriptions.id, id));
    await recordEdit(tx, ctx, { kind: "Subscription", id, revision, changes });
  });
  return { queryId };
}

/** Turns a subscription's schedule on or off, as an edit. Returns its query. */
export async function enableRow(ctx: SignedIn, { id, enabled }: { id: number; enabled: boolean }) {
  return editRow(ctx, id, async (tx, current) => {
    const nextRunAt = nextRunOf({ ...current, enabled }, await databaseNow(tx));
    await tx
      .update(subscriptions)
      // What is on already keeps its next run, which may be due.
      .set({ enabled, ...(current.enabled !== enabled && { nextRunAt }) })
      .where(eq(subscriptions.id, id));
    if (enabled) await requestFirstRun(tx, current.queryId, firstRunOf(ctx, current));
  });
}

/** Adds a recipient of its project to a subscription, as an edit; one that it has stays. Returns its query. */
export async function addRecipientRow(
  ctx: SignedIn,
  { id, recipientId }: { id: number; recipientId: number },
) {
  return editRow(ctx, id, async (tx, { projectId }) => {
    await requireRecipients(tx, ctx, [recipientId], {
      ...{ projectId, path: "recipientId", belongsTo: "query" },
    });
    await tx.insert(subscriptionRecipients).values({ subscriptionId: id, recipientId }).onConflictDoNothing();
  });
}

/** A change of a part as an edit, unless nothing changes. Locks the query first, as every save does. */
async function editRow(
  ctx: SignedIn,
  id: number,
  change: (tx: Transaction, current: typeof subscriptions.$inferSelect) => Promise<void>,
): Promise<{ queryId: number }> {
  const { queryId } = await getSubscriptionRow(ctx, id);
  await db.transaction(async (tx) => {
    await holdQuery(tx, queryId);
    const [current] = await tx.select().from(subscriptions).where(isSubscription(id)).for("update");
    if (!current) throw subscriptionNotFound();
    await rejectManaged(tx, ctx, { kind: "Subscription", id });
    const before = await editedState(tx, id);
    await change(tx, current);
    const changes = fieldChanges(before, await editedState(tx, id));
    if (changes.length === 0) return;
    const revision = current.revision + 1;
    await tx.update(subscriptions).set({ revision }).where(eq(subscriptions.id, id));
    await recordEdit(tx, ctx, { kind: "Subscription", id, revision, changes });
  });
  return { queryId };
}

function refuse(errors: FieldError[]): void {
  if (errors.length > 0) throw invalidRequest(errors);
}

function rejectParameterMismatch(given: Record<string, unknown>, names: readonly string[]): void {
  const missing = names.filter((name) => !Object.hasOwn(given, name));
  const unknown = Object.keys(given).filter((name) => !names.includes(name));
  refuse([
    ...missing.map((name) => ({ path: `parameters.${name}`, message: "is required by the query" })),
    ...unknown.map((name) => ({ path: `parameters.${name}`, message: "is not in the query" })),
  ]);
}

function columnsOf(write: SubscriptionWrite) {
  return {
    name: write.name ?? null,
    cronExpression: write.cronExpression,
    timezone: write.timezone,
    enabled: write.enabled,
    parameters: write.parameters,
    timeoutSeconds: write.timeoutSeconds,
    conditionKind: write.condition.kind,
    conditionThreshold: write.condition.threshold,
    createTasks: write.createTasks,
    anomalyEnabled: write.anomalyDetection.enabled,
    anomalyMethod: write.anomalyDetection.method,
    anomalySensitivity: write.anomalyDetection.sensitivity,
    anomalyMetric: write.anomalyDetection.metric,
  };
}

/** A silence that the write leaves as it is stays someone else's, with its reason. */
function silenceOf(
  { principal }: SignedIn,
  { silencedUntil = null }: SubscriptionWrite,
  current: { silencedUntil: Date | null },
) {
  const isSame = silencedUntil?.getTime() === current.silencedUntil?.getTime();
  return isSame ? {} : silenceColumns({ until: silencedUntil }, principal.userId);
}

type Scheduled = Pick<SubscriptionWrite, "enabled" | "cronExpression" | "timezone">;

const firstRunOf = ({ principal }: SignedIn, { cronExpression, timezone }: Scheduled) => ({
  requestedById: principal.userId,
  schedule: `${cronExpression} (${timezone})`,
});

/** The first run after now; null if the schedule is off. */
function nextRunOf({ enabled, cronExpression, timezone }: Scheduled, now: Date): Date | null {
  return enabled ? nextRun(cronExpression, timezone, now) : null;
}

async function writeRecipients(
  tx: Transaction,
  ctx: SignedIn,
  subscriptionId: number,
  recipientIds: readonly number[],
  projectId: number,
): Promise<void> {
  const ids = await requireRecipients(tx, ctx, recipientIds, {
    ...{ projectId, path: "recipientIds", belongsTo: "query" },
  });
  if (ids.length > 0)
    await tx
      .insert(subscriptionRecipients)
      .values(ids.map((recipientId) => ({ subscriptionId, recipientId })));
}
