import { and, desc, eq, isNotNull, sql } from "drizzle-orm";
import type { SignedIn } from "../../auth/principal.ts";
import { db } from "../../db/client.ts";
import { backtest, type PastExecution } from "../backtest.ts";
import { anomalyDays } from "../limits.ts";
import type { AnomalyDetection, Condition } from "../schema.ts";
import { executions } from "../tables.ts";
import { valuesBefore } from "./detect-anomaly.ts";
import { getSubscriptionRow } from "./load-subscriptions.ts";

/** At most this many of the newest executions are judged again. */
const most = 1000;

/**
 * Applies another condition to a subscription's past executions: those of the last 30 days with a result, at most the
 * newest 1,000.
 */
export async function backtestSubscription(
  ctx: SignedIn,
  given: { id: number; condition: Condition; anomalyDetection?: AnomalyDetection | undefined },
) {
  const { timezone } = await getSubscriptionRow(ctx, given.id);
  const rows = await db
    .select({
      id: executions.id,
      executedAt: executions.executedAt,
      status: executions.status,
      rowCount: executions.rowCount,
      metricValue: executions.metricValue,
    })
    .from(executions)
    .where(
      and(
        eq(executions.subscriptionId, given.id),
        isNotNull(executions.rowCount),
        sql`${executions.executedAt} >= now() - ${anomalyDays} * interval '1 day'`,
      ),
    )
    .orderBy(desc(executions.executedAt), desc(executions.id))
    .limit(most);
  const past = rows
    .reverse()
    .flatMap(({ rowCount, ...row }): PastExecution[] => (rowCount === null ? [] : [{ ...row, rowCount }]));
  const [first] = rows;
  // Only Learned sees further back than the executions that are judged.
  const [before = []] =
    first && given.anomalyDetection?.method === "Learned"
      ? await valuesBefore(db, [{ ...first, subscriptionId: given.id, ...given.anomalyDetection }])
      : [];
  return backtest(past, given.condition, given.anomalyDetection, { timezone, before });
}
