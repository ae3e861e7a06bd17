import { and, desc, eq, inArray, isNull, ne, or, type SQL, sql } from "drizzle-orm";
import type { PgColumn } from "drizzle-orm/pg-core";
import { findUserIdsWith } from "../../auth/service/people.ts";
import { db, type Transaction } from "../../db/client.ts";
import { isOneOf } from "../../db/gathered.ts";
import { overdueOccurrences } from "../../jobs/schedules.ts";
import { maintenanceUntil } from "../../maintenance/service.ts";
import { deliveryTallies } from "../../notifications/service/delivery-tallies.ts";
import { enqueueNotification } from "../../notifications/service/enqueue.ts";
import { deliveryFailuresOf } from "../../notifications/service/ledger.ts";
import { findFirstSources } from "../../queries/service/first-sources.ts";
import { titleOfSubscription } from "../../queries/service/subscription-titles.ts";
import { tablesReadBy } from "../../queries/service/tables-read.ts";
import type { ExecutionStatus } from "../kinds.ts";
import { failuresBeforeIncident, stalledAfterMinutes } from "../limits.ts";
import { incidentNotification } from "../notification.ts";
import { type IncidentKind, scheduleKind } from "../schema.ts";
import { executions, subscriptionIncidents, subscriptions } from "../tables.ts";

/**
 * Monitors subscriptions: one that fails several times in a row, stalls, or cannot deliver has an incident. Its owner
 * and the Admins are notified once when it begins and once when it ends.
 */

type Watched = { id: number; projectId: number; ownerId: number | null };

const isFailure = (status: ExecutionStatus) => status === "Failed" || status === "Timeout";

/** The condition that a subscription has an incident that an execution which ran would end. */
export const hasOpenIncident = (subscriptionId: PgColumn): SQL => sql`exists (
  select from ${subscriptionIncidents}
  where ${subscriptionIncidents.subscriptionId} = ${subscriptionId} and ${subscriptionIncidents.kind} in ('Stalled', 'Failing')
    and ${subscriptionIncidents.closedAt} is null)`;

type Outcome = {
  subscription: Watched & { queryId: number };
  execution: { executedAt: Date };
  status: ExecutionStatus;
  /** What its query reads. */
  dataSourceIds: readonly number[];
  /** Why it failed; null if it did not. */
  failure: string | null;
};

/** Opens or closes incidents after executions of different subscriptions. */
export async function watchOutcomes(tx: Transaction, outcomes: readonly Outcome[]): Promise<void> {
  await endIncidents(
    tx,
    outcomes.map(({ subscription, status }) => ({
      ...{ subscription, kinds: isFailure(status) ? ["Stalled"] : ["Stalled", "Failing"] },
    })),
  );
  for (const outcome of outcomes) if (isFailure(outcome.status)) await watchFailure(tx, outcome);
}

async function watchFailure(
  tx: Transaction,
  { subscription, execution, dataSourceIds, failure }: Outcome,
): Promise<void> {
  const latest = await tx
    .select({ status: executions.status })
    .from(executions)
    .where(and(eq(executions.subscriptionId, subscription.id), ne(executions.status, "Created")))
    .orderBy(desc(executions.executedAt), desc(executions.id))
    .limit(failuresBeforeIncident);
  if (latest.length < failuresBeforeIncident || !latest.every((each) => isFailure(each.status))) return;
  // The next failure after it opens the incident.
  const { projectId, queryId } = subscription;
  const tables = async () => (await tablesReadBy(tx, queryId)).tables;
  if (await maintenanceUntil(tx, { projectId, dataSourceIds, tables })) return;
  const reason = `${failuresBeforeIncident} executions in a row failed, the last one with: ${failure}`;
  await beginIncident(tx, subscription, "Failing", reason, execution.executedAt);
}

/** A notification of an execution has failed permanently. */
export async function watchFailedDelivery(executionId: number): Promise<void> {
  const [subscription] = await db
    .select({
      id: subscriptions.id,
      projectId: subscriptions.projectId,
      ownerId: subscriptions.ownerId,
      queryId: subscriptions.queryId,
    })
    .from(executions)
    .innerJoin(subscriptions, eq(subscriptions.id, executions.subscriptionId))
    .where(and(eq(executions.id, executionId), isNull(subscriptions.archivedAt)));
  if (!subscription) return;
  const [failure] = await deliveryFailuresOf(db, { kind: "Execution", ids: [executionId] });
  if (!failure) return; // It has been resent since.
  const { recipientName, reason } = failure;
  await db.transaction((tx) =>
    beginIncident(
      tx,
      subscription,
      "Undeliverable",
      `${recipientName} could not be notified of a result: ${reason ?? "unknown reason"}`,
    ),
  );
}

/** Finds stalled subscriptions and closes incidents that are over. Returns how many began. */
export async function watchSubscriptions(): Promise<number> {
  await endDelivered();
  await endStalledOfDisabled();
  const stalled = await findStalled();
  const sources = await findFirstSources(
    db,
    stalled.map(({ queryId }) => queryId),
  );
  let begun = 0;
  for (const { queryId, reason, ...subscription } of stalled) {
    const { projectId } = subscription;
    const dataSourceIds = [sources.get(queryId)].flatMap((id) => id ?? []);
    const tables = async () => (await tablesReadBy(db, queryId)).tables;
    if (await maintenanceUntil(db, { projectId, dataSourceIds, tables })) continue;
    await db.transaction(async (tx) => {
      if (await beginIncident(tx, subscription, "Stalled", reason)) begun += 1;
    });
  }
  return begun;
}

/** Subscriptions that should run but do not: no run is planned, one is overdue, or one does not end. */
async function findStalled(): Promise<(Watched & { queryId: number; reason: string })[]> {
  const unclaimed = await overdueOccurrences(scheduleKind, stalledAfterMinutes);
  const grace = sql`${stalledAfterMinutes} * interval '1 minute'`;
  const endless = sql<Date | null>`(
    select min(e.executed_at) from ${executions} e
    where e.subscription_id = ${subscriptions.id} and e.status = 'Created'
      and e.executed_at < now() - ${grace} - ${subscriptions.timeoutSeconds} * interval '1 second')`;
  const rows = await db
    .select({
      id: subscriptions.id,
      projectId: subscriptions.projectId,
      ownerId: subscriptions.ownerId,
      queryId: subscriptions.queryId,
      nextRunAt: subscriptions.nextRunAt,
      isOverdue: sql<boolean>`coalesce(${subscriptions.nextRunAt} < now() - ${grace}, false)`,
      endless: sql<boolean>`${endless} is not null`,
    })
    .from(subscriptions)
    .where(
      and(
        isNull(subscriptions.archivedAt),
        eq(subscriptions.enabled, true),
        or(
          isNull(subscriptions.nextRunAt),
          sql`${subscriptions.nextRunAt} < now() - ${grace}`,
          sql`${endless} is not null`,
          inArray(subscriptions.id, unclaimed),
        ),
      ),
    );
  return rows.map(({ nextRunAt, isOverdue, endless: isEndless, ...subscription }) => ({
    ...subscription,
    reason: stallReason(nextRunAt, { isOverdue, isEndless }),
  }));
}

function stallReason(
  nextRunAt: Date | null,
  { isOverdue, isEndless }: { isOverdue: boolean; isEndless: boolean },
): string {
  if (isEndless) return "an execution does not end";
  if (nextRunAt === null) return "its schedule has no further runs";
  if (isOverdue) return `it was due at ${nextRunAt.toISOString()} and has not run`;
  return `it was due more than ${stalledAfterMinutes} minutes ago and has not run`;
}

/** A disabled or archived subscription has not stalled; nobody needs a notification. */
async function endStalledOfDisabled(): Promise<void> {
  const idle = db
    .select({ id: subscriptions.id })
    .from(subscriptions)
    .where(or(eq(subscriptions.enabled, false), sql`${subscriptions.archivedAt} is not null`));
  await db
    .update(subscriptionIncidents)
    .set({ closedAt: sql`now()` })
    .where(
      and(
        eq(subscriptionIncidents.kind, "Stalled"),
        isNull(subscriptionIncidents.closedAt),
        inArray(subscriptionIncidents.subscriptionId, idle),
      ),
    );
}

/** The incident is over once a later execution has reached everyone. */
async function endDelivered(): Promise<void> {
  const open = await db
    .select({ openedAt: subscriptionIncidents.openedAt, subscription: subscriptions })
    .from(subscriptionIncidents)
    .innerJoin(subscriptions, eq(subscriptions.id, subscriptionIncidents.subscriptionId))
    .where(and(eq(subscriptionIncidents.kind, "Undeliverable"), isNull(subscriptionIncidents.closedAt)));
  for (const { openedAt, subscription } of open) {
    const later = await db
      .select({ id: executions.id })
      .from(executions)
      .where(
        and(
          eq(executions.subscriptionId, subscription.id),
          sql`${executions.finishedAt} > ${openedAt.toISOString()}::timestamptz`,
        ),
      )
      .orderBy(desc(executions.executedAt))
      .limit(100);
    const tallies = await deliveryTallies(
      "Execution",
      later.map(({ id }) => id),
    );
    const latest = later.map(({ id }) => tallies.get(id)).find((tally) => tally !== undefined);
    if (latest === undefined || latest.sent < latest.recipients) continue;
    await db.transaction((tx) => endIncidents(tx, [{ subscription, kinds: ["Undeliverable"] }]));
  }
}

/** Begins an incident unless one of this kind is open. Returns whether it did. */
async function beginIncident(
  tx: Transaction,
  subscription: Watched,
  kind: IncidentKind,
  reason: string,
  openedAt = new Date(),
): Promise<boolean> {
  const [incident] = await tx
    .insert(subscriptionIncidents)
    .values({ subscriptionId: subscription.id, kind, reason, openedAt })
    .onConflictDoNothing()
    .returning();
  if (!incident) return false;
  await tell(tx, subscription, incident, "begins");
  return true;
}

/** Ends those that are open, of each subscription those of its kinds. */
async function endIncidents(
  tx: Transaction,
  over: readonly { subscription: Watched; kinds: readonly IncidentKind[] }[],
): Promise<void> {
  if (over.length === 0) return;
  const ofKind = (kind: IncidentKind) =>
    and(
      eq(subscriptionIncidents.kind, kind),
      isOneOf(
        subscriptionIncidents.subscriptionId,
        over.flatMap(({ subscription, kinds }) => (kinds.includes(kind) ? subscription.id : [])),
      ),
    );
  const kinds = new Set(over.flatMap((each) => each.kinds));
  const ended = await tx
    .update(subscriptionIncidents)
    .set({ closedAt: sql`clock_timestamp()` })
    .where(and(isNull(subscriptionIncidents.closedAt), or(...[...kinds].map(ofKind))))
    .returning();
  const byId = new Map(over.map(({ subscription }) => [subscription.id, subscription]));
  for (const incident of ended) {
    const subscription = byId.get(incident.subscriptionId);
    if (subscription) await tell(tx, subscription, incident, "ends");
  }
}

async function tell(
  tx: Transaction,
  subscription: Watched,
  incident: typeof subscriptionIncidents.$inferSelect,
  moment: "begins" | "ends",
): Promise<void> {
  const admins = await findUserIdsWith(tx, "projects:manage", subscription.projectId);
  const [schedule] = await tx
    .select({ timezone: subscriptions.timezone })
    .from(subscriptions)
    .where(eq(subscriptions.id, subscription.id));
  const userIds = [...new Set([...admins, ...(subscription.ownerId === null ? [] : [subscription.ownerId])])];
  await enqueueNotification(tx, {
    ...incidentNotification(
      { ...subscription, timezone: schedule?.timezone ?? "UTC" },
      await titleOfSubscription(tx, subscription.id),
      incident,
      moment,
    ),
    userIds,
    topic: "Incidents",
  });
}
