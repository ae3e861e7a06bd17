import { and, eq, isNull } from "drizzle-orm";
import type { SignedIn } from "../../auth/principal.ts";
import { loadContexts } from "../../data-quality/service/contract-contexts.ts";
import type { DatabaseSchema } from "../../data-sources/database-schema.ts";
import { dialectOf } from "../../data-sources/dialects/dialects.ts";
import { isRest } from "../../data-sources/kinds.ts";
import { loadDescriptions } from "../../data-sources/service/descriptions.ts";
import { getDataSource } from "../../data-sources/service/load-data-sources.ts";
import { refreshSchema } from "../../data-sources/service/read-schema.ts";
import { db } from "../../db/client.ts";
import { Problem } from "../../errors.ts";
import { findFaults } from "../../findings/service/find-faults.ts";
import { listKnownFaults } from "../../findings/service/known-faults.ts";
import { profileTables, tableKey } from "../../profile/service/profile-tables.ts";
import type { TableToRead } from "../../profile/service/read-table.ts";
import { lastExecutionsOf } from "../../subscriptions/service/owned-subscriptions.ts";
import type { BriefedFindings, BriefedQuery, Briefing, Occasion } from "../briefing.ts";
import { soleSql } from "../check-actions.ts";
import { clausesOf } from "../feedback.ts";
import { briefingLimits, limits } from "../limits.ts";
import { isFirstPlan } from "../planner/propose-by-rule.ts";
import { tablesToProfile } from "../planner/tables-to-profile.ts";
import { actorActions, actorWakes, plans } from "../tables.ts";
import { withDescriptions } from "../with-descriptions.ts";
import { loadConversation, type StoredActor } from "./load-actors.ts";
import { loadBounds } from "./load-bounds.ts";
import type { StoredExecution } from "./load-executions.ts";
import { loadActions } from "./load-plans.ts";

/**
 * Everything that an actor knows when it thinks, and that its proposals are checked against. Reads the schema again.
 * Throws Problem if the data source does not respond.
 */
export async function gatherBriefing(ctx: SignedIn, actor: StoredActor, cycle: StoredExecution) {
  const source = await getDataSource(ctx, actor.dataSourceId);
  const dialect = dialectOf(source.kind);
  if (dialect === null || isRest(source.connection))
    throw new Problem("rejected", "An AI actor's data source must be a database type");
  const schema = await refreshSchema(ctx, source.id);
  const all = schema.items.flatMap(({ schemaName, tables }) =>
    tables.map((table) => ({ ...table, schemaName })),
  );
  const seen = actor.seenTables && new Set(actor.seenTables);
  const shown = all
    .slice(0, briefingLimits.tables)
    .map((table) => ({ ...table, isNew: seen !== null && !seen.has(keyOf(table)) }));
  const [descriptions, contextOf, bounds, messages, occasion, pendingActions] = await Promise.all([
    loadDescriptions(source.id),
    loadContexts(source.id),
    loadBounds(actor),
    loadConversation(actor.id, briefingLimits.messages),
    occasionOf(cycle),
    loadPendingActions(actor.id, cycle),
  ]);
  const { queries: owned, subscriptions } = bounds;
  const executions = await lastExecutionsOf(
    subscriptions.map(({ id }) => id),
    briefingLimits.executionsOfSubscription,
  );

  const queries = owned.flatMap((query): BriefedQuery[] => {
    const sql = soleSql(query, source.id);
    if (query.isLocked || sql === null) return [];
    const { id, name, description, activeVersion } = query;
    const own = subscriptions.filter(({ queryId }) => queryId === id);
    return [
      {
        ...{ id, name, description, sql, activeVersion },
        subscriptions: own.map(({ id, cronExpression, timezone, enabled }) => ({
          ...{ id, cronExpression, timezone, enabled },
          executions: (executions.get(id) ?? []).map(({ executedAt, ...execution }) => ({
            ...execution,
            executedAt: executedAt.toISOString(),
          })),
        })),
      },
    ];
  });

  const conversation = messages.map(({ role, text }) => ({ role, text }));
  const { name, instructions, additionalContext, wishes } = actor;
  const about = { occasion, actor: { name, instructions, additionalContext, wishes }, queries, conversation };
  const toProfile = tablesToProfile(shown, about);
  const findings = isFirstPlan({ ...about, pendingActions })
    ? await lookForFindings(source.id, toProfile, all)
    : {
        items: await listKnownFaults(source.id, briefingLimits.findings),
        tablesRead: null,
        isComplete: true,
      };
  const profiles = await profileTables(source.id, toProfile, { totalMs: limits.profileMs });
  const briefing: Briefing = {
    ...about,
    now: new Date().toISOString(),
    limits: {
      maxQueries: actor.maxQueries,
      queriesLeft: Math.max(0, actor.maxQueries - owned.length),
      maxSubscriptionsPerQuery: actor.maxSubscriptionsPerQuery,
    },
    dataSource: {
      id: source.id,
      name: source.name,
      dialect: dialect.name,
      defaultSchema: dialect.defaultSchema(source.connection),
    },
    tables: shown.map((table) => ({
      ...withDescriptions(table, descriptions),
      context: contextOf(table),
      profile: profiles.get(keyOf(table)) ?? null,
    })),
    findings,
    omittedTables: all.length - shown.length,
    pendingActions,
  };
  return { briefing, bounds, schema: schema.items };
}

/** A first plan begins with what is wrong, whether or not there was a scan. */
async function lookForFindings(
  dataSourceId: number,
  tables: readonly TableToRead[],
  all: readonly TableToRead[],
): Promise<BriefedFindings> {
  const {
    faults,
    tables: tablesRead,
    isComplete,
  } = await findFaults(dataSourceId, tables.slice(0, briefingLimits.tablesReadForFindings), all, {
    totalMs: limits.findingsMs,
    priority: "schedule",
  });
  return { items: faults, tablesRead, isComplete };
}

/** Identifies the tables of a schema, to remember them. */
export const tableKeysOf = (items: DatabaseSchema["items"]): string[] =>
  items.flatMap(({ schemaName, tables }) => tables.map(({ tableName }) => tableKey(schemaName, tableName)));

const keyOf = ({ schemaName, tableName }: { schemaName: string; tableName: string }) =>
  tableKey(schemaName, tableName);

async function occasionOf(cycle: StoredExecution): Promise<Occasion> {
  const finished = await db
    .select({ id: actorWakes.executionId })
    .from(actorWakes)
    .where(eq(actorWakes.cycleId, cycle.id));
  const { trigger, userInstruction, wishes, revisedPlanId } = cycle;
  const revision = revisedPlanId === null ? null : await revisionOf(revisedPlanId, cycle);
  return {
    trigger,
    instruction: revisedPlanId === null ? userInstruction : null,
    wishes,
    revision,
    clauses: clausesOf({ note: userInstruction, wishes }, revision?.actions),
    finishedExecutionIds: finished.map(({ id }) => id),
  };
}

async function revisionOf(planId: number, { userInstruction }: StoredExecution) {
  const [plan] = await db.select().from(plans).where(eq(plans.id, planId));
  if (!plan) return null;
  const actions = await loadActions(eq(actorActions.planId, planId));
  return {
    feedback: userInstruction ?? "",
    analysis: plan.analysis,
    keyFindings: plan.keyFindings,
    actions: actions.map(({ proposed }) => proposed),
  };
}

async function loadPendingActions(actorId: number, { revisedPlanId }: StoredExecution) {
  if (revisedPlanId !== null) return [];
  const [pending] = await db
    .select({ id: plans.id })
    .from(plans)
    .where(and(eq(plans.actorId, actorId), eq(plans.status, "PendingApproval")));
  if (!pending) return [];
  const actions = await loadActions(eq(actorActions.planId, pending.id));
  return actions.map(({ proposed }) => proposed);
}

/** Assigns finished executions to this cycle, unless another one has taken them. */
export async function takeWakes(actorId: number, cycleId: number): Promise<void> {
  await db
    .update(actorWakes)
    .set({ cycleId })
    .where(and(eq(actorWakes.actorId, actorId), isNull(actorWakes.cycleId)));
}
