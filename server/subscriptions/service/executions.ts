import { and, desc, eq } from "drizzle-orm";
import { maySeeProject, type SignedIn } from "../../auth/principal.ts";
import { db } from "../../db/client.ts";
import { type Paging, paged } from "../../db/paged.ts";
import { Problem } from "../../errors.ts";
import { executions, subscriptions } from "../tables.ts";
import { getSubscriptionRow } from "./load-subscriptions.ts";
import { outcomesOf } from "./outcomes.ts";

const columns = {
  id: executions.id,
  subscriptionId: executions.subscriptionId,
  status: executions.status,
  trigger: executions.trigger,
  executedAt: executions.executedAt,
  rowCount: executions.rowCount,
  executionTimeMs: executions.executionTimeMs,
  errorMessage: executions.errorMessage,
  queryVersion: executions.queryVersion,
  parameters: executions.parameters,
  metricValue: executions.metricValue,
  metricColumn: executions.metricColumn,
  judgedMetric: executions.judgedMetric,
  usualLow: executions.usualLow,
  usualHigh: executions.usualHigh,
};

type Row = Pick<typeof executions.$inferSelect, keyof typeof columns>;

/** Presents executions, in the order of their rows; loads all outcomes at once. */
async function shown(rows: readonly Row[]) {
  const outcomes = await outcomesOf(rows.map(({ id }) => id));
  return rows.flatMap(({ judgedMetric: metric, usualLow: low, usualHigh: high, ...execution }) => {
    const outcome = outcomes.get(execution.id);
    const usual = metric === null || low === null || high === null ? null : { metric, low, high };
    return outcome ? [{ ...execution, usual, outcome }] : [];
  });
}

/** A page of a subscription's executions, newest first, including waiting and running ones as Created. */
export async function listExecutions(ctx: SignedIn, { id, ...page }: { id: number } & Paging) {
  await getSubscriptionRow(ctx, id);
  const isOfIt = eq(executions.subscriptionId, id);
  return paged(
    page,
    () => db.$count(executions, isOfIt),
    async ({ limit, offset }) =>
      shown(
        await db
          .select(columns)
          .from(executions)
          .where(isOfIt)
          .orderBy(desc(executions.executedAt), desc(executions.id))
          .limit(limit)
          .offset(offset),
      ),
  );
}

/** Throws not_found if the execution does not exist, its subscription is archived, or the caller cannot access it. */
export async function getExecution({ principal }: SignedIn, id: number) {
  const [found] = await db
    .select({ ...columns, projectId: subscriptions.projectId, archivedAt: subscriptions.archivedAt })
    .from(executions)
    .innerJoin(subscriptions, and(eq(subscriptions.id, executions.subscriptionId)))
    .where(eq(executions.id, id));
  if (!found || found.archivedAt !== null || !maySeeProject(principal, found.projectId))
    throw new Problem("not_found", "Execution not found");
  const { projectId: _, archivedAt: __, ...row } = found;
  const [execution] = await shown([row]);
  if (!execution) throw new Problem("not_found", "Execution not found");
  return execution;
}
