import { sql } from "drizzle-orm";
import {
  type AnyPgColumn,
  bigint,
  boolean,
  check,
  index,
  integer,
  jsonb,
  numeric,
  pgEnum,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
  uuid,
} from "drizzle-orm/pg-core";
import { users } from "../auth/tables.ts";
import { dataSources } from "../data-sources/tables.ts";
import { createdAt, id, moment, updatedAt } from "../db/columns.ts";
import { recipients } from "../notifications/tables.ts";
import { projects } from "../projects/tables.ts";
import type { FeedbackAnswer } from "./feedback.ts";
import type { Proposal, ProposedAction } from "./proposal.ts";
import type { Reading } from "./reading.ts";
import { type Action, type Evidence, messageRoles } from "./schema.ts";
import {
  actionStatuses,
  actorStatuses,
  executionKinds,
  type Phase,
  phases,
  planStatuses,
  triggers,
} from "./states.ts";
import type { RequestWishes, Wishes } from "./wishes.ts";

export const actorStatus = pgEnum("actor_status", actorStatuses);
export const planStatus = pgEnum("plan_status", planStatuses);
export const actorPhase = pgEnum("actor_phase", phases);
export const actorTrigger = pgEnum("actor_trigger", triggers);
export const actorExecutionKind = pgEnum("actor_execution_kind", executionKinds);
export const actorMessageRole = pgEnum("actor_message_role", messageRoles);
export const actionStatus = pgEnum("action_status", actionStatuses);

const money = () => numeric({ mode: "number", precision: 18, scale: 8 });

export const actors = pgTable(
  "actors",
  {
    id: id(),
    /** The data source's, which cannot change. */
    projectId: integer()
      .notNull()
      .references(() => projects.id),
    dataSourceId: integer()
      .notNull()
      .references(() => dataSources.id),
    name: text().notNull(),
    instructions: text().notNull(),
    additionalContext: text(),
    /** What to check, chosen in fields; null if nothing was chosen. */
    wishes: jsonb().$type<Wishes>(),
    maxQueries: integer().notNull(),
    maxSubscriptionsPerQuery: integer().notNull(),
    activateImmediately: boolean().notNull(),
    requiresApproval: boolean().notNull(),
    /** Per calendar month in UTC; null for no limit. */
    budgetTokens: bigint({ mode: "number" }),
    budgetCost: money(),
    status: actorStatus().notNull().default("Draft"),
    lastError: text(),
    /** The tables that existed when it last thought, by schema and name: all others are new to it. */
    seenTables: jsonb().$type<string[]>(),
    /** When its initial setup succeeded; until then, resuming starts it again. */
    setUpAt: moment(),
    totalTokensUsed: bigint({ mode: "number" }).notNull().default(0),
    totalCost: money().notNull().default(0),
    thinkCount: integer().notNull().default(0),
    lastThinkAt: moment(),
    /** On whose behalf it acts without approval: only in its own project, with an Editor's rights. */
    createdById: integer()
      .notNull()
      .references(() => users.id),
    /** Incremented by every edit. */
    revision: integer().notNull().default(1),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
    archivedAt: moment(),
  },
  (t) => [
    // The list of a project's actors.
    index("actors_project_idx").on(t.projectId),
    // Finds the actors affected by a schema change, and whether a data source can be deleted.
    index("actors_source_idx").on(t.dataSourceId),
  ],
);

export const actorRecipients = pgTable(
  "actor_recipients",
  {
    actorId: integer()
      .notNull()
      .references(() => actors.id),
    recipientId: integer()
      .notNull()
      .references(() => recipients.id),
  },
  (t) => [
    primaryKey({ columns: [t.actorId, t.recipientId] }),
    // Finds what still uses a recipient.
    index("actor_recipients_recipient_idx").on(t.recipientId),
  ],
);

/** The conversation between people and an actor. */
export const actorMessages = pgTable(
  "actor_messages",
  {
    id: id(),
    actorId: integer()
      .notNull()
      .references(() => actors.id),
    role: actorMessageRole().notNull(),
    /** The author; null for the actor. */
    userId: integer().references(() => users.id),
    text: text().notNull(),
    /** The cycle that it led to, or that wrote it. */
    executionId: integer().references((): AnyPgColumn => actorExecutions.id),
    createdAt: createdAt(),
  },
  (t) => [index("actor_messages_actor_idx").on(t.actorId, t.id.desc().nullsFirst())],
);

/** A think cycle, or a run of a plan that people approved. Open until its phase is Completed or Failed. */
export const actorExecutions = pgTable(
  "actor_executions",
  {
    id: id(),
    actorId: integer()
      .notNull()
      .references(() => actors.id),
    kind: actorExecutionKind().notNull(),
    trigger: actorTrigger().notNull(),
    phase: actorPhase().notNull(),
    /** When it entered each phase. */
    phaseTimes: jsonb().$type<{ phase: Phase; at: string }[]>().notNull(),
    userInstruction: text(),
    /** What was chosen in fields with the instruction or feedback and, once read, what that text adds. */
    wishes: jsonb().$type<RequestWishes>(),
    /** What became of each part of the instruction or feedback; empty if nothing was asked, or not answered yet. */
    feedbackAnswers: jsonb().$type<FeedbackAnswer[]>().notNull().default([]),
    /** The plan that a person sent back, with their feedback, for the cycle that makes its next version. */
    revisedPlanId: integer().references((): AnyPgColumn => plans.id),
    /** The plan that it runs. */
    runPlanId: integer().references((): AnyPgColumn => plans.id),
    requestedById: integer().references(() => users.id),
    decisionSummary: text(),
    detailedAnalysis: text(),
    keyFindings: jsonb().$type<string[]>().notNull().default([]),
    notificationIntent: jsonb().$type<Proposal["notification"]>(),
    tokensUsed: bigint({ mode: "number" }).notNull().default(0),
    /** null before the first call, and once a price is unknown. */
    estimatedCost: money(),
    model: text(),
    error: text(),
    startedAt: moment().notNull().defaultNow(),
    completedAt: moment(),
    leaseToken: uuid(),
    leaseUntil: moment(),
    attempts: integer().notNull().default(0),
  },
  (t) => [
    // The timeline of an actor's executions, newest first.
    index("actor_executions_actor_idx").on(t.actorId, t.id.desc().nullsFirst()),
    // Unfinished executions whose worker may be gone.
    index("actor_executions_open_idx").on(t.leaseUntil).where(sql`${t.phase} not in ('Completed', 'Failed')`),
    // A plan runs once.
    uniqueIndex("actor_executions_run_idx").on(t.runPlanId),
  ],
);

/** Executions of its subscriptions that an actor still has to think about. */
export const actorWakes = pgTable(
  "actor_wakes",
  {
    actorId: integer()
      .notNull()
      .references(() => actors.id),
    /** The execution of a subscription. */
    executionId: integer().notNull(),
    /** The cycle that thinks about it; null until one does. */
    cycleId: integer().references(() => actorExecutions.id),
  },
  (t) => [
    primaryKey({ columns: [t.actorId, t.executionId] }),
    // Executions waiting for a cycle, and those of a cycle.
    index("actor_wakes_waiting_idx").on(t.actorId).where(sql`${t.cycleId} is null`),
    index("actor_wakes_cycle_idx").on(t.cycleId),
  ],
);

/**
 * Calls of a model: a row is inserted before the call, and gets the response afterwards. An interrupted cycle finds
 * what was already answered, and the limits on calls are counted here, across all processes. Also contains calls on
 * behalf of people; these have no actor and no cycle, and their answers are not stored.
 */
export const modelCalls = pgTable(
  "model_calls",
  {
    id: id(),
    actorId: integer().references(() => actors.id),
    executionId: integer().references(() => actorExecutions.id),
    /** The kind of call: `read` (a note), `propose`, or `repair` in a cycle; `ask` and `review` (of findings) outside of one. */
    step: text().notNull(),
    model: text().notNull(),
    askedAt: moment().notNull(),
    answeredAt: moment(),
    answer: jsonb().$type<Proposal | Reading>(),
    /** Why there is no response. */
    failure: text(),
    inputTokens: integer(),
    outputTokens: integer(),
    /** In US dollars; null if the price is unknown. */
    cost: money(),
  },
  (t) => [
    check("model_calls_of_a_cycle", sql`num_nonnulls(${t.actorId}, ${t.executionId}) <> 1`),
    uniqueIndex("model_calls_step_idx").on(t.executionId, t.step),
    // An actor's calls in a month.
    index("model_calls_actor_idx").on(t.actorId, t.askedAt),
    // The calls of the last minute, of all actors.
    index("model_calls_asked_idx").on(t.askedAt),
  ],
);

export const plans = pgTable(
  "plans",
  {
    id: id(),
    actorId: integer()
      .notNull()
      .references(() => actors.id),
    trigger: actorTrigger().notNull(),
    status: planStatus().notNull().default("PendingApproval"),
    /** Counts from 1 along `parentPlanId`. */
    version: integer().notNull(),
    parentPlanId: integer().references((): AnyPgColumn => plans.id),
    /** The cycle that proposed it. */
    cycleId: integer()
      .notNull()
      .references(() => actorExecutions.id),
    userInstruction: text(),
    analysis: text().notNull(),
    keyFindings: jsonb().$type<string[]>().notNull(),
    tokensUsed: bigint({ mode: "number" }).notNull(),
    estimatedCost: money(),
    model: text().notNull(),
    /** The shape of the tables that its SQL names, at the time: if they change, it expires. null without SQL. */
    schemaFingerprint: text(),
    proposedAt: createdAt(),
    expiredReason: text(),
    reviewerId: integer().references(() => users.id),
    decidedAt: moment(),
    /** The reviewer's reason, comment, or feedback; or what ended its execution. */
    decisionReason: text(),
  },
  (t) => [
    // An actor's plans, newest first, and its pending ones.
    index("plans_actor_idx").on(t.actorId, t.id.desc().nullsFirst()),
    index("plans_pending_idx").on(t.actorId).where(sql`${t.status} = 'PendingApproval'`),
    // A plan is revised once, and a cycle proposes once.
    uniqueIndex("plans_parent_idx").on(t.parentPlanId),
    uniqueIndex("plans_cycle_idx").on(t.cycleId),
  ],
);

/**
 * Facts about an action's target, beyond the proposal, recorded when it was proposed, so that a reviewer sees what will
 * run.
 */
export type ActionFacts = {
  /** The name of its query. */
  queryName?: string;
  /** For a RefineQuery: the active SQL, and the number of that version. */
  currentSql?: string;
  baseVersion?: number;
  /** For an AddRules: the contract's name, and the table that it watches. */
  contractName?: string;
  schemaName?: string;
  tableName?: string;
};

export const actorActions = pgTable(
  "actor_actions",
  {
    id: id(),
    /** The plan that proposes it; null if a cycle applies it directly. */
    planId: integer().references(() => plans.id),
    /** The cycle that applies it; null for an action of a plan. */
    executionId: integer().references(() => actorExecutions.id),
    /** Its position, from 0. */
    index: integer().notNull(),
    proposed: jsonb().$type<ProposedAction>().notNull(),
    facts: jsonb().$type<ActionFacts>().notNull(),
    /** The hash of `proposed` and `facts`: if it does not match, the action is not what was shown, and does not run. */
    hash: text().notNull(),
    evidence: jsonb().$type<Evidence>(),
    status: actionStatus().notNull().default("Proposed"),
    error: text(),
    result: jsonb().$type<NonNullable<Action["result"]>>(),
    finishedAt: moment(),
  },
  (t) => [
    check("actor_actions_of_one", sql`num_nonnulls(${t.planId}, ${t.executionId}) = 1`),
    uniqueIndex("actor_actions_plan_idx").on(t.planId, t.index),
    uniqueIndex("actor_actions_execution_idx").on(t.executionId, t.index),
  ],
);
