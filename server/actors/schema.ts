import { z } from "zod";
import { userReference } from "../auth/schema.ts";
import { ruleTypes } from "../data-quality/rules/rules.ts";
import { severities as ruleSeverities } from "../data-quality/severities.ts";
import { identifier, momentOut, name, pageOf, paging, text } from "../db/schema-parts.ts";
import { baseRevision, revisionSchema } from "../edits/schema.ts";
import { lastExecutionSchema } from "../subscriptions/schema.ts";
import { severities } from "./proposal.ts";
import { actionStatuses, actorStatuses, executionKinds, phases, planStatuses, triggers } from "./states.ts";
import { revisionWishesSchema, wishesOut, wishesSchema } from "./wishes.ts";

/** Text that is not blank. */
const said = (max: number) => text(max).refine((value) => value.trim() !== "", "is required");

const money = z.number().min(0);

// --- actors

/** Per calendar month, in UTC. Without a limit, spending is not restricted. */
const monthlyBudgetIn = z
  .strictObject({
    tokens: z.int().min(1).max(1_000_000_000_000).nullish(),
    cost: z.number().min(0.01).max(1_000_000).nullish().meta({ description: "In US dollars" }),
  })
  .transform(({ tokens = null, cost = null }) =>
    tokens === null && cost === null ? null : { tokens, cost },
  );

const actorFields = z.strictObject({
  name,
  instructions: said(20_000).meta({ description: "What to monitor, and why" }),
  additionalContext: text(20_000).nullish().meta({ description: "Business rules, hints, requirements" }),
  wishes: wishesSchema.nullish().meta({
    description: "What to check, as structured fields. The built-in planner follows these",
  }),
  dataSourceId: identifier,
  maxQueries: z.int().min(1).max(1000).default(10),
  maxSubscriptionsPerQuery: z.int().min(1).max(100).default(3),
  defaultRecipientIds: z.array(identifier).max(100).default([]).meta({
    description: "Recipients of the subscriptions that it creates, from the data source's project",
  }),
  activateImmediately: z.boolean().default(true),
  requiresApproval: z.boolean().default(true),
  monthlyBudget: monthlyBudgetIn.nullish(),
});
export const createActorInput = actorFields;
export const updateActorInput = actorFields.extend({
  id: identifier,
  baseRevision,
  dataSourceId: identifier
    .optional()
    .meta({ description: "Must be the actor's current data source, which cannot change" }),
});
export type ActorWrite = z.output<typeof createActorInput>;
export type ActorInput = z.input<typeof createActorInput>;

export const listActorsInput = z.strictObject({ projectId: identifier.optional() });

const actorOut = z.object({
  id: identifier,
  name: z.string(),
  instructions: z.string(),
  additionalContext: z.string().nullable(),
  wishes: wishesOut.nullable(),
  projectId: identifier,
  dataSourceId: identifier,
  dataSourceName: z.string(),
  maxQueries: z.int(),
  maxSubscriptionsPerQuery: z.int(),
  defaultRecipientIds: z.array(identifier),
  activateImmediately: z.boolean(),
  requiresApproval: z.boolean(),
  revision: revisionSchema.meta({ description: "Incremented by every edit" }),
  monthlyBudget: z
    .object({ tokens: z.int().nullable(), cost: z.number().nullable() })
    .nullable()
    .meta({ description: "Per calendar month in UTC; the cost in US dollars" }),
  budgetExhausted: z.boolean().meta({ description: "No think cycles until next month" }),
  usedThisMonth: z.object({ tokens: z.int(), cost: money }),
  status: z.enum(actorStatuses),
  lastError: z.string().nullable(),
  totalTokensUsed: z.int(),
  totalCost: money.meta({ description: "In US dollars, without calls whose price is unknown" }),
  costIsPartial: z.boolean().meta({
    description: "Whether the price of some calls is unknown, so the actual cost is higher",
  }),
  thinkCount: z.int(),
  lastThinkAt: momentOut.nullable(),
  pendingPlanCount: z.int(),
  queryCount: z.int(),
  subscriptionCount: z.int(),
  /** Its current execution; null if idle. */
  currentExecution: z
    .object({ id: identifier, phase: z.enum(phases), trigger: z.enum(triggers) })
    .nullable()
    .meta({ description: "The current phase; null when idle" }),
  createdBy: userReference,
  createdAt: momentOut,
});
export const actorSchema = actorOut.meta({ id: "Actor" });
export type Actor = z.output<typeof actorSchema>;

export const messageRoles = ["Person", "Actor"] as const;

export const actorDetailSchema = actorOut
  .extend({
    queries: z.array(
      z.object({
        id: identifier,
        name: z.string(),
        isLocked: z.boolean(),
        activeVersion: z.int(),
        subscriptionCount: z.int(),
      }),
    ),
    subscriptions: z.array(
      z.object({
        id: identifier,
        queryId: identifier,
        queryName: z.string(),
        cronExpression: z.string(),
        timezone: z.string(),
        enabled: z.boolean(),
        lastExecution: lastExecutionSchema.nullable(),
      }),
    ),
    conversation: z
      .array(
        z.object({
          id: identifier,
          role: z.enum(messageRoles),
          user: userReference.nullable(),
          text: z.string(),
          createdAt: momentOut,
          executionId: identifier.nullable(),
        }),
      )
      .meta({ description: "The last 200 messages, oldest first" }),
  })
  .meta({ id: "ActorDetail" });
export type ActorDetail = z.output<typeof actorDetailSchema>;

// --- actions

const cell = z.union([z.string(), z.number(), z.boolean(), z.null()]);

/** What a reviewer sees next to a proposed SQL. */
export const evidenceSchema = z
  .object({
    valid: z.boolean().meta({ description: "Whether it passed every check, was explained, and ran" }),
    issues: z.array(
      z.object({
        gate: z.enum(["limits", "parameters", "read-only", "engine", "run"]),
        error: z.string(),
      }),
    ),
    columns: z.array(z.object({ name: z.string(), type: z.string() })).optional(),
    rows: z
      .array(z.array(cell))
      .optional()
      .meta({ description: "The first rows; values that look personal or secret are masked" }),
    truncated: z.boolean().optional(),
    maskedColumns: z.array(z.string()).optional(),
    omittedColumns: z
      .int()
      .optional()
      .meta({ description: "Number of further columns that are not included" }),
    executionTimeMs: z.int().optional(),
    estimatedCost: z.number().optional().meta({ description: "In the engine's cost units" }),
    estimatedRows: z.number().optional(),
    estimatedBytes: z.number().optional().meta({ description: "What it reads, where that is billed" }),
    rules: z
      .array(
        z.object({
          name: z.string(),
          passed: z.boolean(),
          score: z.number(),
          expectedValue: z.string().nullable(),
          actualValue: z.string().nullable(),
          message: z.string().nullable(),
        }),
      )
      .optional()
      .meta({ description: "What each rule of a contract said when it was tried" }),
  })
  .meta({ id: "Evidence" });
export type Evidence = z.output<typeof evidenceSchema>;

const actionResult = z
  .object({
    queryId: identifier.optional(),
    subscriptionId: identifier.optional(),
    contractId: identifier.optional(),
    /** For a refinement under the approval workflow: its version awaits a reviewer. */
    pendingVersion: z.int().optional(),
    /** For an archive under the approval workflow: the request that awaits a reviewer. */
    approvalId: identifier.optional(),
  })
  .optional();

const ofEveryAction = {
  index: z.int().min(0),
  reasoning: z.string(),
  status: z.enum(actionStatuses),
  error: z.string().nullable().meta({ description: "Why it failed or was declined" }),
  evidence: evidenceSchema.optional(),
  result: actionResult.meta({ description: "What it created or changed, if it succeeded" }),
};

const rulesOfAction = z.array(
  z.object({
    name: z.string(),
    type: z.enum(ruleTypes),
    column: z.string().nullable(),
    severity: z.enum(ruleSeverities),
    weight: z.number(),
    configuration: z.record(z.string(), z.unknown()),
    sentence: z.string().meta({ description: "What it checks, in words" }),
    findingId: identifier.nullable().meta({ description: "The finding whose rule it is" }),
  }),
);

export const actionSchema = z
  .discriminatedUnion("kind", [
    z.object({
      kind: z.literal("CreateQuery"),
      ...ofEveryAction,
      name: z.string(),
      description: z.string(),
      sql: z.string(),
    }),
    z.object({
      kind: z.literal("CreateSubscription"),
      ...ofEveryAction,
      queryName: z.string().nullable(),
      queryId: identifier.nullable(),
      cronExpression: z.string(),
      timezone: z.string(),
    }),
    z.object({
      kind: z.literal("RefineQuery"),
      ...ofEveryAction,
      queryId: identifier,
      queryName: z.string(),
      currentSql: z.string(),
      proposedSql: z.string(),
      isLocked: z.boolean().meta({ description: "Checked now, not when it was proposed" }),
    }),
    z.object({
      kind: z.literal("ArchiveQuery"),
      ...ofEveryAction,
      queryId: identifier,
      queryName: z.string(),
    }),
    z.object({
      kind: z.literal("ArchiveSubscription"),
      ...ofEveryAction,
      subscriptionId: identifier,
      queryName: z.string(),
    }),
    z.object({
      kind: z.literal("SendNotification"),
      ...ofEveryAction,
      subject: z.string(),
      body: z.string(),
      severity: z.enum(severities),
    }),
    z.object({
      kind: z.literal("CreateContract"),
      ...ofEveryAction,
      name: z.string(),
      schemaName: z.string(),
      tableName: z.string(),
      cronExpression: z.string(),
      timezone: z.string(),
      rules: rulesOfAction,
    }),
    z.object({
      kind: z.literal("AddRules"),
      ...ofEveryAction,
      contractId: identifier,
      contractName: z.string(),
      schemaName: z.string(),
      tableName: z.string(),
      rules: rulesOfAction,
    }),
  ])
  .meta({ id: "ActorAction" });
export type Action = z.output<typeof actionSchema>;
export const actionKinds = [
  "CreateQuery",
  "CreateSubscription",
  "RefineQuery",
  "ArchiveQuery",
  "ArchiveSubscription",
  "SendNotification",
  "CreateContract",
  "AddRules",
] as const satisfies readonly Action["kind"][];

// --- plans

const feedbackAnswersOut = z
  .array(
    z
      .object({
        asked: z.string().meta({ description: "A sentence of the note, or a choice in words" }),
        isDone: z.boolean(),
        because: z.string().nullable().meta({ description: "Why it was not done; null if it was" }),
      })
      .meta({ id: "FeedbackAnswer" }),
  )
  .meta({
    description: "What became of each part of the instruction or feedback; empty if nothing was asked",
  });

export const planSchema = z
  .object({
    id: identifier,
    actorId: identifier,
    actorName: z.string(),
    projectId: identifier,
    dataSourceId: identifier,
    trigger: z.enum(triggers),
    status: z.enum(planStatuses),
    version: z.int().min(1),
    parentPlanId: identifier.nullable(),
    userInstruction: z.string().nullable(),
    analysis: z.string().meta({ description: "Markdown" }),
    keyFindings: z.array(z.string()),
    feedbackAnswers: feedbackAnswersOut,
    actions: z.array(actionSchema),
    tokensUsed: z.int(),
    estimatedCost: money.nullable().meta({ description: "In US dollars; null if the price is unknown" }),
    model: z.string(),
    proposedAt: momentOut,
    expiredReason: z.string().nullable(),
    reviewer: userReference.nullable(),
    decidedAt: momentOut.nullable(),
    decisionReason: z.string().nullable(),
    executionId: identifier.nullable().meta({ description: "The execution that runs or ran its actions" }),
  })
  .meta({ id: "Plan" });
export type Plan = z.output<typeof planSchema>;

export const planListSchema = z.object({ items: z.array(planSchema) });

/** A pending plan in brief: a few words per action. */
export const pendingPlanSchema = z
  .object({
    ...planSchema.pick({ id: true, actorId: true, actorName: true, trigger: true, version: true }).shape,
    actions: z.array(z.string()),
    proposedAt: momentOut,
  })
  .meta({ id: "PendingPlan" });
export type PendingPlan = z.output<typeof pendingPlanSchema>;
export const pendingPlanPageSchema = pageOf(pendingPlanSchema);
export type PendingPlanPage = z.output<typeof pendingPlanPageSchema>;
export const listPendingPlansInput = z.strictObject({
  projectId: identifier.optional(),
  page: paging.page,
  pageSize: z.int().min(1).max(100).default(20),
});

export const approvePlanInput = z.strictObject({
  id: identifier,
  comment: text(4000).nullish(),
  actions: z
    .array(z.int().min(0).max(1000))
    .min(1, "needs at least one action; reject the plan to run none")
    .max(1000)
    .optional()
    .meta({
      description:
        "The `index` of each action to run; the others are declined. If omitted, all run. An action whose prerequisite is left out is refused",
    }),
  declineReason: said(2000)
    .nullish()
    .meta({ description: "Why the others are declined; required if some are" }),
});
export type PlanApproval = z.output<typeof approvePlanInput>;
export const rejectPlanInput = z.strictObject({ id: identifier, reason: said(4000) });
export const requestRevisionInput = z.strictObject({
  id: identifier,
  feedback: said(20_000),
  wishes: revisionWishesSchema.nullish().meta({ description: "What the next version should contain" }),
});
export const refineActorInput = z.strictObject({
  id: identifier,
  feedback: said(20_000),
  wishes: wishesSchema
    .nullish()
    .meta({ description: "What to add, exclude or reschedule, for this request" }),
});

// --- executions

export const actorExecutionSchema = z
  .object({
    id: identifier,
    actorId: identifier,
    kind: z.enum(executionKinds).meta({ description: "A think cycle, or the run of an approved plan" }),
    planId: identifier.nullable().meta({ description: "The plan that it proposed, or that it runs" }),
    trigger: z.enum(triggers),
    userInstruction: z.string().nullable(),
    wishes: wishesOut.nullable().meta({
      description: "Wishes sent with the instruction or feedback, and what a language model read from it",
    }),
    phase: z.enum(phases),
    decisionSummary: z.string().nullable(),
    detailedAnalysis: z.string().nullable().meta({ description: "Markdown" }),
    keyFindings: z.array(z.string()),
    feedbackAnswers: feedbackAnswersOut,
    actions: z
      .array(actionSchema)
      .meta({ description: "The actions that it runs or ran, with their results" }),
    notificationIntent: z
      .object({ subject: z.string(), body: z.string(), severity: z.enum(severities) })
      .nullable(),
    tokensUsed: z.int(),
    estimatedCost: money.nullable(),
    model: z.string().nullable(),
    error: z.string().nullable(),
    requestedBy: userReference.nullable(),
    startedAt: momentOut,
    completedAt: momentOut.nullable(),
    phaseTimes: z
      .array(z.object({ phase: z.enum(phases), at: momentOut }))
      .meta({ description: "When it entered each phase, in order" }),
  })
  .meta({ id: "ActorExecution" });
export type ActorExecution = z.output<typeof actorExecutionSchema>;
export const actorExecutionPageSchema = pageOf(actorExecutionSchema);
export const listActorExecutionsInput = z.strictObject({ id: identifier, ...paging });

/** The model that actors use, for the browser. */
export const modelInUseSchema = z.object({
  name: z.string(),
  isBuiltIn: z.boolean(),
  hasPrice: z.boolean().meta({ description: "Whether a cost budget can be enforced" }),
});
