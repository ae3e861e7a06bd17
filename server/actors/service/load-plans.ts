import { and, asc, count, desc, eq, inArray, type SQL, sql } from "drizzle-orm";
import { maySeeProject, type SignedIn } from "../../auth/principal.ts";
import { namesOfUsers } from "../../auth/service/user-names.ts";
import { inVisibleProject } from "../../auth/visibility.ts";
import { type Connection, db } from "../../db/client.ts";
import { type Paging, paged } from "../../db/paged.ts";
import { Problem } from "../../errors.ts";
import { findLockedQueries } from "../../queries/service/owned-queries.ts";
import { planHash } from "../action-hash.ts";
import { type ResolvedRule, sentenceOf } from "../contract-actions.ts";
import { actionInShort } from "../in-words.ts";
import type { Action } from "../schema.ts";
import type { PlanStatus } from "../states.ts";
import { actorActions, actorExecutions, actors, plans } from "../tables.ts";
import { getActorRow } from "./load-actors.ts";

export type StoredPlan = typeof plans.$inferSelect;
export type StoredAction = typeof actorActions.$inferSelect;

export const planNotFound = () => new Problem("not_found", "Plan not found");

/** A plan with its actor. Throws not_found if it is unknown or in a project that the caller cannot access. */
export async function getPlanRow({ principal }: Pick<SignedIn, "principal">, id: number) {
  const [row] = await db
    .select({ plan: plans, actor: actors })
    .from(plans)
    .innerJoin(actors, eq(actors.id, plans.actorId))
    .where(eq(plans.id, id));
  if (!row || !maySeeProject(principal, row.actor.projectId)) throw planNotFound();
  return row;
}

/** One plan. It stays readable after its actor is archived. Throws not_found. */
export async function getPlan(ctx: SignedIn, id: number) {
  const { plan } = await getPlanRow(ctx, id);
  const [shown] = await shownPlans([plan]);
  if (!shown) throw planNotFound();
  return shown;
}

/** The hash of what a plan proposes. Throws not_found. */
export async function hashOfPlan(ctx: SignedIn, id: number): Promise<string> {
  await getPlanRow(ctx, id);
  return planHash(await loadActions(eq(actorActions.planId, id)));
}

/** The pending plans of an actor, newest first. Throws not_found. */
export async function listPendingPlans(ctx: SignedIn, actorId: number) {
  await getActorRow(ctx, actorId);
  const rows = await db
    .select()
    .from(plans)
    .where(and(eq(plans.actorId, actorId), eq(plans.status, "PendingApproval")))
    .orderBy(desc(plans.id));
  return { items: await shownPlans(rows) };
}

/** All versions of a plan, oldest first: those that it revises, and those that revise it. */
export async function listPlanVersions(ctx: SignedIn, id: number) {
  await getPlanRow(ctx, id);
  const found = await db.execute<{ id: number }>(sql`
    with recursive former as (
      select id, parent_plan_id from plans where id = ${id}
      union all select p.id, p.parent_plan_id from plans p join former f on p.id = f.parent_plan_id
    ), later as (
      select id from plans where id = ${id}
      union all select p.id from plans p join later l on p.parent_plan_id = l.id
    )
    select id from former union select id from later`);
  const ids = found.map((row) => row.id);
  const rows = await db.select().from(plans).where(inArray(plans.id, ids)).orderBy(asc(plans.version));
  return { items: await shownPlans(rows) };
}

type Filter = {
  projectId?: number | undefined;
  actorId?: number | undefined;
  status?: PlanStatus | undefined;
};

const fits = ({ principal }: SignedIn, { projectId, actorId, status }: Filter) =>
  and(
    inVisibleProject(principal, actors.projectId),
    projectId === undefined ? undefined : eq(actors.projectId, projectId),
    actorId === undefined ? undefined : eq(plans.actorId, actorId),
    status === undefined ? undefined : eq(plans.status, status),
  );

/** A page of the plans visible to the caller, newest first. */
export async function listPlans(ctx: SignedIn, { page, pageSize, ...filter }: Filter & Paging) {
  return paged(
    { page, pageSize },
    () => countPlans(ctx, filter),
    async ({ limit, offset }) => {
      const rows = await db
        .select({ plan: plans })
        .from(plans)
        .innerJoin(actors, eq(actors.id, plans.actorId))
        .where(fits(ctx, filter))
        .orderBy(desc(plans.id))
        .limit(limit)
        .offset(offset);
      return shownPlans(rows.map(({ plan }) => plan));
    },
  );
}

/** A page of the pending plans, newest first, in brief. */
export async function listAllPendingPlans(ctx: SignedIn, filter: Pick<Filter, "projectId"> & Paging) {
  const { items, ...rest } = await listPlans(ctx, { ...filter, status: "PendingApproval" });
  const inBrief = items.map(({ id, actorId, actorName, trigger, version, actions, proposedAt }) => ({
    ...{ id, actorId, actorName, trigger, version, proposedAt },
    actions: actions.map(actionInShort),
  }));
  return { ...rest, items: inBrief };
}

export async function countPlans(ctx: SignedIn, filter: Filter): Promise<number> {
  const [counted] = await db
    .select({ count: count() })
    .from(plans)
    .innerJoin(actors, eq(actors.id, plans.actorId))
    .where(fits(ctx, filter));
  return counted?.count ?? 0;
}

/** Plans as they are shown, in the order of their rows, with a fixed number of queries. */
export async function shownPlans(rows: readonly StoredPlan[]) {
  const ids = rows.map(({ id }) => id);
  if (ids.length === 0) return [];
  const [actorRows, reviewers, runs, actionRows, cycles] = await Promise.all([
    db
      .select({
        id: actors.id,
        name: actors.name,
        projectId: actors.projectId,
        dataSourceId: actors.dataSourceId,
      })
      .from(actors)
      .where(
        inArray(
          actors.id,
          rows.map(({ actorId }) => actorId),
        ),
      ),
    namesOfUsers(rows.map(({ reviewerId }) => reviewerId)),
    db
      .select({ id: actorExecutions.id, planId: actorExecutions.runPlanId })
      .from(actorExecutions)
      .where(inArray(actorExecutions.runPlanId, ids)),
    loadActions(inArray(actorActions.planId, ids)),
    db
      .select({ id: actorExecutions.id, feedbackAnswers: actorExecutions.feedbackAnswers })
      .from(actorExecutions)
      .where(
        inArray(
          actorExecutions.id,
          rows.map(({ cycleId }) => cycleId),
        ),
      ),
  ]);
  const actorOf = new Map(actorRows.map((actor) => [actor.id, actor]));
  const runOf = new Map(runs.map(({ id, planId }) => [planId, id]));
  const answersOf = new Map(cycles.map(({ id, feedbackAnswers }) => [id, feedbackAnswers]));
  const shown = await shownActions(actionRows);
  const actionsOf = Map.groupBy(shown, ({ planId }) => planId);
  return rows.map((row) => {
    const actor = actorOf.get(row.actorId);
    return {
      id: row.id,
      actorId: row.actorId,
      actorName: actor?.name ?? "",
      projectId: actor?.projectId ?? 0,
      dataSourceId: actor?.dataSourceId ?? 0,
      trigger: row.trigger,
      status: row.status,
      version: row.version,
      parentPlanId: row.parentPlanId,
      userInstruction: row.userInstruction,
      analysis: row.analysis,
      keyFindings: row.keyFindings,
      feedbackAnswers: answersOf.get(row.cycleId) ?? [],
      actions: (actionsOf.get(row.id) ?? []).map(({ action }) => action),
      tokensUsed: row.tokensUsed,
      estimatedCost: row.estimatedCost,
      model: row.model,
      proposedAt: row.proposedAt,
      expiredReason: row.expiredReason,
      reviewer: row.reviewerId === null ? null : (reviewers.get(row.reviewerId) ?? null),
      decidedAt: row.decidedAt,
      decisionReason: row.decisionReason,
      executionId: runOf.get(row.id) ?? null,
    };
  });
}

/** The stored actions of plans or cycles, in order. */
export async function loadActions(
  which: SQL | undefined,
  connection: Connection = db,
): Promise<StoredAction[]> {
  return connection
    .select()
    .from(actorActions)
    .where(which)
    .orderBy(asc(actorActions.planId), asc(actorActions.executionId), asc(actorActions.index));
}

/** Actions as they are shown, each with its plan or cycle. */
export async function shownActions(rows: readonly StoredAction[]) {
  const targets = rows.flatMap(({ proposed }) => (proposed.kind === "RefineQuery" ? proposed.queryId : []));
  const locked = await findLockedQueries(targets);
  return rows.map((row) => ({
    planId: row.planId,
    executionId: row.executionId,
    action: shownAction(row, locked),
  }));
}

function shownAction(row: StoredAction, locked: ReadonlySet<number>): Action {
  const { proposed, facts } = row;
  const shared = {
    index: row.index,
    reasoning: proposed.reasoning,
    status: row.status,
    error: row.error,
    ...(row.evidence && { evidence: row.evidence }),
    ...(row.result && { result: row.result }),
  };
  const queryName = facts.queryName ?? "";
  switch (proposed.kind) {
    case "CreateQuery": {
      const { kind, name, description, sql } = proposed;
      return { kind, ...shared, name, description, sql };
    }
    case "CreateSubscription": {
      const { kind, queryId, cronExpression, timezone } = proposed;
      const name = proposed.queryName ?? facts.queryName ?? null;
      return { kind, ...shared, queryName: name, queryId, cronExpression, timezone };
    }
    case "RefineQuery": {
      const { kind, queryId, sql: proposedSql } = proposed;
      const currentSql = facts.currentSql ?? "";
      return { kind, ...shared, queryId, queryName, currentSql, proposedSql, isLocked: locked.has(queryId) };
    }
    case "ArchiveQuery":
      return { kind: proposed.kind, ...shared, queryId: proposed.queryId, queryName };
    case "ArchiveSubscription":
      return { kind: proposed.kind, ...shared, subscriptionId: proposed.subscriptionId, queryName };
    case "SendNotification": {
      const { kind, subject, body, severity } = proposed;
      return { kind, ...shared, subject, body, severity };
    }
    case "CreateContract": {
      const { kind, name, schemaName, tableName, cronExpression, timezone } = proposed;
      const contract = { name, schemaName, tableName, cronExpression, timezone };
      return { kind, ...shared, ...contract, rules: proposed.rules.map(shownRule) };
    }
    case "AddRules": {
      const { contractName = "", schemaName = "", tableName = "" } = facts;
      const contract = { contractId: proposed.contractId, contractName, schemaName, tableName };
      return { kind: proposed.kind, ...shared, ...contract, rules: proposed.rules.map(shownRule) };
    }
  }
}

function shownRule(rule: ResolvedRule) {
  const { name, type, column = null, severity, weight, configuration, findingId } = rule;
  return { name, type, column, severity, weight, configuration, sentence: sentenceOf(rule), findingId };
}
