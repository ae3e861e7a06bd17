import { desc, eq, inArray } from "drizzle-orm";
import { maySeeProject, type SignedIn } from "../../auth/principal.ts";
import { namesOfUsers } from "../../auth/service/user-names.ts";
import { db } from "../../db/client.ts";
import { type Paging, paged } from "../../db/paged.ts";
import { Problem } from "../../errors.ts";
import { actorActions, actorExecutions, actors, plans } from "../tables.ts";
import { getActorRow } from "./load-actors.ts";
import { loadActions, shownActions } from "./load-plans.ts";

export type StoredExecution = typeof actorExecutions.$inferSelect;

/** A page of an actor's executions, newest first, including the current one. Throws not_found. */
export async function listActorExecutions(ctx: SignedIn, { id, ...page }: { id: number } & Paging) {
  await getActorRow(ctx, id);
  const isOfIt = eq(actorExecutions.actorId, id);
  return paged(
    page,
    () => db.$count(actorExecutions, isOfIt),
    async ({ limit, offset }) =>
      shownExecutions(
        await db
          .select()
          .from(actorExecutions)
          .where(isOfIt)
          .orderBy(desc(actorExecutions.id))
          .limit(limit)
          .offset(offset),
      ),
  );
}

/** Throws not_found for an execution that is unknown, of an archived actor, or not accessible to the caller. */
export async function getActorExecution({ principal }: SignedIn, id: number) {
  const [found] = await db
    .select({ execution: actorExecutions, projectId: actors.projectId, status: actors.status })
    .from(actorExecutions)
    .innerJoin(actors, eq(actors.id, actorExecutions.actorId))
    .where(eq(actorExecutions.id, id));
  if (!found || found.status === "Archived" || !maySeeProject(principal, found.projectId))
    throw new Problem("not_found", "Execution not found");
  const [shown] = await shownExecutions([found.execution]);
  if (!shown) throw new Error("A row that was found is shown");
  return shown;
}

async function shownExecutions(rows: readonly StoredExecution[]) {
  const ids = rows.map(({ id }) => id);
  if (ids.length === 0) return [];
  const planIds = rows.flatMap(({ runPlanId }) => runPlanId ?? []);
  const [users, proposed, own, ofPlans] = await Promise.all([
    namesOfUsers(rows.map(({ requestedById }) => requestedById)),
    db.select({ id: plans.id, cycleId: plans.cycleId }).from(plans).where(inArray(plans.cycleId, ids)),
    loadActions(inArray(actorActions.executionId, ids)),
    planIds.length === 0 ? [] : loadActions(inArray(actorActions.planId, planIds)),
  ]);
  const proposedBy = new Map(proposed.map(({ id, cycleId }) => [cycleId, id]));
  const actions = await shownActions([...own, ...ofPlans]);
  return rows.map((row) => ({
    id: row.id,
    actorId: row.actorId,
    kind: row.kind,
    planId: row.runPlanId ?? proposedBy.get(row.id) ?? null,
    trigger: row.trigger,
    userInstruction: row.userInstruction,
    wishes: row.wishes,
    phase: row.phase,
    decisionSummary: row.decisionSummary,
    detailedAnalysis: row.detailedAnalysis,
    keyFindings: row.keyFindings,
    feedbackAnswers: row.feedbackAnswers,
    actions: actions
      .filter(
        ({ executionId, planId }) => executionId === row.id || (planId !== null && planId === row.runPlanId),
      )
      .map(({ action }) => action),
    notificationIntent: row.notificationIntent,
    tokensUsed: row.tokensUsed,
    estimatedCost: row.estimatedCost,
    model: row.model,
    error: row.error,
    requestedBy: row.requestedById === null ? null : (users.get(row.requestedById) ?? null),
    startedAt: row.startedAt,
    completedAt: row.completedAt,
    phaseTimes: row.phaseTimes.map(({ phase, at }) => ({ phase, at: new Date(at) })),
  }));
}
