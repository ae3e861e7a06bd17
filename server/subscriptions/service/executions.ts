import { and, desc, eq } from "drizzle-orm";
import { maySeeProject, type SignedIn } from "../../auth/principal.ts";
import { db } from "../../db/client.ts";
import { type Paging, paged } from "../../db/paged.ts";
import { Problem } from "../../errors.ts";
import { executions, subscriptions } from "../tables.ts";
import { getSubscriptionRow } from "./load-subscriptions.ts";

const shown = {
  id: executions.id,
  subscriptionId: executions.subscriptionId,
  status: executions.status,
  trigger: executions.trigger,
  executedAt: executions.executedAt,
  rowCount: executions.rowCount,
  executionTimeMs: executions.executionTimeMs,
  errorMessage: executions.errorMessage,
  queryVersion: executions.queryVersion,
};

/** A page of a subscription's executions, newest first; those that wait or run are among them, as Created. */
export async function listExecutions(ctx: SignedIn, { id, ...page }: { id: number } & Paging) {
  await getSubscriptionRow(ctx, id);
  const isOfIt = eq(executions.subscriptionId, id);
  return paged(
    page,
    () => db.$count(executions, isOfIt),
    ({ limit, offset }) =>
      db
        .select(shown)
        .from(executions)
        .where(isOfIt)
        .orderBy(desc(executions.executedAt), desc(executions.id))
        .limit(limit)
        .offset(offset),
  );
}

/** Throws not_found for one that is unknown, of an archived subscription, or out of the caller's sight. */
export async function getExecution({ principal }: SignedIn, id: number) {
  const [found] = await db
    .select({ ...shown, projectId: subscriptions.projectId, archivedAt: subscriptions.archivedAt })
    .from(executions)
    .innerJoin(subscriptions, and(eq(subscriptions.id, executions.subscriptionId)))
    .where(eq(executions.id, id));
  if (!found || found.archivedAt !== null || !maySeeProject(principal, found.projectId))
    throw new Problem("not_found", "Execution not found");
  const { projectId: _, archivedAt: __, ...execution } = found;
  return execution;
}
