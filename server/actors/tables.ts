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
    /** The data source's, which stays the same. */
    projectId: integer()
      .notNull()
      .references(() => projects.id),
    dataSourceId: integer()
      .notNull()
      .references(() => dataSources.id),
    name: text().notNull(),
    instructions: text().notNull(),
    additionalContext: text(),
    /** What it is to check, chosen in fields; null where nothing was. */
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
    /** The tables that were there when it thought last, by schema and name: others are new to it. */
    seenTables: jsonb().$type<string[]>(),
    /** When its initial setup ended well; until then, resuming begins it anew. */
    setUpAt: moment(),
    totalTokensUsed: bigint({ mode: "number" }).notNull().default(0),
    totalCost: money().notNull().default(0),
    thinkCount: integer().notNull().default(0),
    lastThinkAt: moment(),
    /** In whose name it acts where nobody has approved: only ever in its own project, as an Editor would. */
    createdById: integer()
      .notNull()
      .references(() => users.id),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
    archivedAt: moment(),
  },
  (t) => [
    // A project's actors: the list.
    index("actors_project_idx").on(t.projectId),
    // Whose schema it is that has changed; whether a data source may be deleted.
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
    // What still uses a recipient.
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
    /** Who said it; null for the actor. */
    userId: integer().references(() => users.id),
    text: text().notNull(),
    /** The cycle that it led to, or that said it. */
    executionId: integer().references((): AnyPgColumn => actorExecutions.id),
    createdAt: createdAt(),
  },
  (t) => [index("actor_messages_actor_idx").on(t.actorId, t.id.desc().nullsFirst())],
);

/** One think cycle, or one run of a plan that people approved. Open until its phase is Completed or Failed. */
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
    /** What was chosen in fields beside the instruction or the feedback, and once it was read what these say of them. */
    wishes: jsonb().$type<RequestWishes>(),
    /** The plan that a person sent back, and what they said, for the cycle that makes its next version. */
    revisedPlanId: integer().references((): AnyPgColumn => plans.id),
    /** The plan that it runs. */
    runPlanId: integer().references((): AnyPgColumn => plans.id),
    requestedById: integer().references(() => users.id),
    decisionSummary: text(),
    detailedAnalysis: text(),
    keyFindings: jsonb().$type<string[]>().notNull().default([]),
    notificationIntent: jsonb().$type<Proposal["notification"]>(),
    tokensUsed: bigint({ mode: "number" }).notNull().default(0),
    /** null while nothing was asked, and once a price is unknown. */
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
    // An actor's executions, newest first: its timeline.
    index("actor_executions_actor_idx").on(t.actorId, t.id.desc().nullsFirst()),
    // What is not finished, and whose worker may be gone.
    index("actor_executions_open_idx").on(t.leaseUntil).where(sql`${t.phase} not in ('Completed', 'Failed')`),
    // A plan is run once.
    uniqueIndex("actor_executions_run_idx").on(t.runPlanId),
  ],
);

/** Executions of its subscriptions that an actor has yet to think about. */
export const actorWakes = pgTable(
  "actor_wakes",
  {
    actorId: integer()
      .notNull()
      .references(() => actors.id),
    /** Of a subscription. */
    executionId: integer().notNull(),
    /** The cycle that thinks about it; null until one does. */
    cycleId: integer().references(() => actorExecutions.id),
  },
  (t) => [
    primaryKey({ columns: [t.actorId, t.executionId] }),
    // What waits to be thought about, and what a cycle thinks about.
    index("actor_wakes_waiting_idx").on(t.actorId).where(sql`${t.cycleId} is null`),
    index("actor_wakes_cycle_idx").on(t.cycleId),
  ],
);

/**
 * Calls of a model: a row before the call, and its answer in the row after it. A cycle that was interrupted finds
 * what was answered already, and the limits on calls are counted here, over all processes. So are calls for people who
 * ask something themselves: these have no actor and no cycle, and what was answered is not kept.
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
    /** Why there is no answer. */
    failure: text(),
    inputTokens: integer(),
    outputTokens: integer(),
    /** In US dollars; null where the price is unknown. */
    cost: money(),
  },
  (t) => [
    check("model_calls_of_a_cycle", sql`num_nonnulls(${t.actorId}, ${t.executionId}) <> 1`),
    uniqueIndex("model_calls_step_idx").on(t.executionId, t.step),
    // An actor's month.
    index("model_calls_actor_idx").on(t.actorId, t.askedAt),
    // The last minute, of all actors.
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
    /** Of the tables that its SQL names, as they were: a change of theirs makes it expire. null without SQL. */
    schemaFingerprint: text(),
    proposedAt: createdAt(),
    expiredReason: text(),
    reviewerId: integer().references(() => users.id),
    decidedAt: moment(),
    /** The reviewer's reason, comment or feedback; or what ended its execution. */
    decisionReason: text(),
  },
  (t) => [
    // An actor's plans, newest first, and those that wait.
    index("plans_actor_idx").on(t.actorId, t.id.desc().nullsFirst()),
    index("plans_pending_idx").on(t.actorId).where(sql`${t.status} = 'PendingApproval'`),
    // A plan is revised once, and a cycle proposes once.
    uniqueIndex("plans_parent_idx").on(t.parentPlanId),
    uniqueIndex("plans_cycle_idx").on(t.cycleId),
  ],
);

/** What an action is about, beyond what was proposed: found when it was, so that a reviewer sees what will run. */
export type ActionFacts = {
  /** Of the query that it is about. */
  queryName?: string;
  /** Of a RefineQuery: what runs now, and the number of that version. */
  currentSql?: string;
  baseVersion?: number;
};

export const actorActions = pgTable(
  "actor_actions",
  {
    id: id(),
    /** The plan that proposes it; null for one that a cycle applies at once. */
    planId: integer().references(() => plans.id),
    /** The cycle that applies it; null for one of a plan. */
    executionId: integer().references(() => actorExecutions.id),
    /** Its place, from 0. */
    index: integer().notNull(),
    proposed: jsonb().$type<ProposedAction>().notNull(),
    facts: jsonb().$type<ActionFacts>().notNull(),
    /** Of `proposed` and `facts`: what does not fit it is not what was shown, and is not run. */
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
