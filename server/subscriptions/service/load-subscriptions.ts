import { and, asc, eq, inArray, isNull, type SQL } from "drizzle-orm";
import { maySeeProject, type SignedIn } from "../../auth/principal.ts";
import { namesOfUsers } from "../../auth/service/user-names.ts";
import { db } from "../../db/client.ts";
import { Problem } from "../../errors.ts";
import { findHolds, type Hold } from "../../queries/service/first-runs.ts";
import { findQueryNames } from "../../queries/service/query-names.ts";
import { findSubscriptionTitles } from "../../queries/service/subscription-titles.ts";
import { subscriptionIncidents, subscriptionRecipients, subscriptions } from "../tables.ts";
import { loadLastExecutions } from "./outcomes.ts";

export const subscriptionNotFound = () => new Problem("not_found", "Subscription not found");

/** The subscription by id, unless it is archived. */
export const isSubscription = (id: number) => and(eq(subscriptions.id, id), isNull(subscriptions.archivedAt));

/**
 * A subscription's row. Throws not_found if it does not exist, is archived, or the caller cannot access its project.
 */
export async function getSubscriptionRow({ principal }: SignedIn, id: number) {
  const [row] = await db.select().from(subscriptions).where(isSubscription(id));
  if (!row || !maySeeProject(principal, row.projectId)) throw subscriptionNotFound();
  return row;
}

export type SubscriptionRow = typeof subscriptions.$inferSelect;

/** Presents subscriptions, in the order of their rows, with a fixed number of queries. */
export async function shownSubscriptions(rows: readonly SubscriptionRow[]) {
  const ids = rows.map(({ id }) => id);
  const [names, titles, people, recipientsOf, incidentsOf, lastOf, holds] = await Promise.all([
    findQueryNames(rows.map(({ queryId }) => queryId)),
    findSubscriptionTitles(ids),
    namesOfUsers(rows.flatMap(({ ownerId, silencedById }) => [ownerId, silencedById])),
    loadRecipientIds(ids),
    loadOpenIncidents(inArray(subscriptionIncidents.subscriptionId, ids)),
    loadLastExecutions(ids),
    findHolds(rows.map(({ queryId }) => queryId)),
  ]);
  return rows.map((row) => ({
    id: row.id,
    queryId: row.queryId,
    queryName: names.get(row.queryId) ?? "",
    name: row.name,
    title: titles.get(row.id) ?? "",
    projectId: row.projectId,
    cronExpression: row.cronExpression,
    timezone: row.timezone,
    enabled: row.enabled,
    parameters: row.parameters,
    timeoutSeconds: row.timeoutSeconds,
    condition: { kind: row.conditionKind, threshold: row.conditionThreshold },
    createTasks: row.createTasks,
    anomalyDetection: {
      enabled: row.anomalyEnabled,
      method: row.anomalyMethod,
      sensitivity: row.anomalySensitivity,
      metric: row.anomalyMetric,
    },
    recipientIds: recipientsOf.get(row.id) ?? [],
    silencedUntil: row.silencedUntil,
    silencedBy: people.get(row.silencedById ?? 0) ?? null,
    silenceReason: row.silenceReason,
    revision: row.revision,
    aiActorId: row.aiActorId,
    owner: people.get(row.ownerId ?? 0) ?? null,
    incidents: incidentsOf.get(row.id) ?? [],
    lastExecution: lastOf.get(row.id) ?? null,
    // Its schedule continues, but runs are skipped until the query is approved.
    nextRunAt: holds.has(row.queryId) ? null : row.nextRunAt,
    ...shownHold(holds.get(row.queryId)),
    createdAt: row.createdAt,
  }));
}

const shownHold = (hold: Hold | undefined) => (hold?.approval ? { approval: hold.approval } : {});

async function loadRecipientIds(subscriptionIds: number[]) {
  const links = await db
    .select()
    .from(subscriptionRecipients)
    .where(inArray(subscriptionRecipients.subscriptionId, subscriptionIds))
    .orderBy(asc(subscriptionRecipients.recipientId));
  return bySubscription(links, ({ recipientId }) => recipientId);
}

/** The open incidents by subscription. */
export async function loadOpenIncidents(which: SQL | undefined) {
  const rows = await db
    .select()
    .from(subscriptionIncidents)
    .where(and(which, isNull(subscriptionIncidents.closedAt)))
    .orderBy(asc(subscriptionIncidents.id));
  return bySubscription(rows, ({ kind, reason, openedAt, closedAt }) => ({
    kind,
    reason,
    openedAt,
    closedAt,
  }));
}

function bySubscription<Row extends { subscriptionId: number }, Value>(
  rows: Row[],
  toValue: (row: Row) => Value,
): Map<number, Value[]> {
  const groups = Map.groupBy(rows, ({ subscriptionId }) => subscriptionId);
  return new Map([...groups].map(([id, own]) => [id, own.map(toValue)]));
}
