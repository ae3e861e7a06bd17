import { and, desc, eq, getTableColumns, isNotNull, isNull, sql } from "drizzle-orm";
import { maySeeProject, type SignedIn } from "../../auth/principal.ts";
import { namesOfUsers } from "../../auth/service/user-names.ts";
import { inVisibleProject } from "../../auth/visibility.ts";
import { db } from "../../db/client.ts";
import { type Paging, paged } from "../../db/paged.ts";
import { Problem } from "../../errors.ts";
import { findQueryNames } from "../../queries/service/query-names.ts";
import { findSubscriptionTitles } from "../../queries/service/subscription-titles.ts";
import { anomalies, subscriptions } from "../tables.ts";

type Filter = {
  projectId?: number | undefined;
  subscriptionId?: number | undefined;
  acknowledged?: boolean | undefined;
};

const columns = {
  ...getTableColumns(anomalies),
  queryId: subscriptions.queryId,
  projectId: subscriptions.projectId,
};
const ofSubscription = eq(subscriptions.id, anomalies.subscriptionId);
const isThere = isNull(subscriptions.archivedAt);

/** A page of the anomalies visible to the caller, newest first. */
export async function listAnomalies({ principal }: SignedIn, filter: Filter & Paging) {
  const { projectId, subscriptionId, acknowledged } = filter;
  const fits = and(
    isThere,
    inVisibleProject(principal, subscriptions.projectId),
    projectId === undefined ? undefined : eq(subscriptions.projectId, projectId),
    subscriptionId === undefined ? undefined : eq(anomalies.subscriptionId, subscriptionId),
    acknowledged === undefined
      ? undefined
      : acknowledged
        ? isNotNull(anomalies.acknowledgedAt)
        : isNull(anomalies.acknowledgedAt),
  );
  const count = async () => {
    const [counted] = await db
      .select({ count: sql<number>`count(*)::int` })
      .from(anomalies)
      .innerJoin(subscriptions, ofSubscription)
      .where(fits);
    return counted?.count ?? 0;
  };
  return paged(filter, count, async ({ limit, offset }) =>
    shown(
      await db
        .select(columns)
        .from(anomalies)
        .innerJoin(subscriptions, ofSubscription)
        .where(fits)
        .orderBy(desc(anomalies.detectedAt), desc(anomalies.id))
        .limit(limit)
        .offset(offset),
    ),
  );
}

/** Throws not_found if it does not exist, its subscription is archived, or the caller cannot access its project. */
export async function getAnomaly({ principal }: SignedIn, id: number) {
  const rows = await db
    .select(columns)
    .from(anomalies)
    .innerJoin(subscriptions, ofSubscription)
    .where(and(eq(anomalies.id, id), isThere));
  const [found] = await shown(rows.filter(({ projectId }) => maySeeProject(principal, projectId)));
  if (!found) throw new Problem("not_found", "Anomaly not found");
  return found;
}

/** Acknowledges an anomaly; the first user to do so is kept. */
export async function acknowledgeAnomaly(ctx: SignedIn, id: number) {
  await getAnomaly(ctx, id);
  await db
    .update(anomalies)
    .set({ acknowledgedAt: sql`now()`, acknowledgedById: ctx.principal.userId })
    .where(and(eq(anomalies.id, id), isNull(anomalies.acknowledgedAt)));
  return getAnomaly(ctx, id);
}

type Row = typeof anomalies.$inferSelect & { queryId: number; projectId: number };

async function shown(rows: Row[]) {
  const [names, titles, people] = await Promise.all([
    findQueryNames(rows.map(({ queryId }) => queryId)),
    findSubscriptionTitles(rows.map(({ subscriptionId }) => subscriptionId)),
    namesOfUsers(rows.map(({ acknowledgedById }) => acknowledgedById)),
  ]);
  return rows.map((row) => ({
    id: row.id,
    subscriptionId: row.subscriptionId,
    queryName: names.get(row.queryId) ?? "",
    subscriptionName: titles.get(row.subscriptionId) ?? "",
    executionId: row.executionId,
    detectedAt: row.detectedAt,
    severity: row.severity,
    metric: row.metric,
    detectedValue: row.detectedValue,
    expectedLow: row.expectedLow,
    expectedHigh: row.expectedHigh,
    explanation: row.explanation,
    acknowledged: row.acknowledgedAt !== null,
    acknowledgedBy: people.get(row.acknowledgedById ?? 0) ?? null,
  }));
}
