import { and, desc, eq, gte } from "drizzle-orm";
import type { SignedIn } from "../../auth/principal.ts";
import { db } from "../../db/client.ts";
import { databaseNow } from "../../jobs/schedules.ts";
import { getQuery } from "../../queries/service/queries.ts";
import { listExecutions } from "../../subscriptions/service/executions.ts";
import { getSubscription } from "../../subscriptions/service/subscriptions.ts";
import { anomalies } from "../../subscriptions/tables.ts";
import { listTasks } from "../../tasks/service/tasks.ts";
import { windowBefore } from "../window.ts";

/** The maximum length of each list. */
const most = 20;

/**
 * A subscription's health in detail: latest executions, open tasks, and latest anomalies in the time range. Throws
 * not_found for a subscription that is unknown, archived, or in a project the caller may not see.
 */
export async function getDetail(ctx: SignedIn, { id, timeRangeDays }: { id: number; timeRangeDays: number }) {
  const { queryId, queryName, title, cronExpression } = await getSubscription(ctx, id);
  const page = { page: 0, pageSize: most };
  const { from } = windowBefore(await databaseNow(db), timeRangeDays);
  const [{ folderPath }, executions, tasks, found] = await Promise.all([
    getQuery(ctx, queryId),
    listExecutions(ctx, { id, ...page }),
    listTasks(ctx, { subscriptionId: id, status: "Open", ...page }),
    db
      .select()
      .from(anomalies)
      .where(and(eq(anomalies.subscriptionId, id), gte(anomalies.detectedAt, from)))
      .orderBy(desc(anomalies.detectedAt), desc(anomalies.id))
      .limit(most),
  ]);
  return {
    subscriptionId: id,
    queryId,
    queryName,
    subscriptionName: title,
    folderPath,
    cronExpression,
    timeRangeDays,
    executions: executions.items,
    openTasks: tasks.items,
    anomalies: found.map(({ acknowledgedAt, ...anomaly }) => ({
      ...anomaly,
      acknowledged: acknowledgedAt !== null,
    })),
  };
}
