import { z } from "zod";
import { userReference } from "../auth/schema.ts";
import { sampleFields } from "../data-sources/sample.ts";
import {
  byId,
  identifier,
  momentIn,
  momentOut,
  name,
  pageOf,
  paging,
  record,
  text,
  timezone,
} from "../db/schema-parts.ts";
import { baseRevision, revisionSchema } from "../edits/schema.ts";
import { cronExpression } from "../jobs/cron-schema.ts";
import { silenceOut } from "../notifications/silence.ts";
import { approvalStatuses } from "../queries/approval-kinds.ts";
import { parameterValue } from "../queries/schema.ts";
import { anomalyMethods, anomalyMetrics, defaultSensitivity, executionStatuses } from "./kinds.ts";

export const executionTriggers = ["Manual", "Scheduled"] as const;

export const conditionKinds = ["Always", "RowsFound", "RowCountAbove", "RowCountBelow"] as const;
export type ConditionKind = (typeof conditionKinds)[number];

export const anomalySeverities = ["Low", "Medium", "High", "Critical"] as const;
export type AnomalySeverity = (typeof anomalySeverities)[number];

/** Names its occurrences in the list of all schedules. */
export const scheduleKind = "subscription";

/** Why a subscription cannot do its work. */
export const incidentKinds = ["Failing", "Stalled", "Undeliverable"] as const;
export type IncidentKind = (typeof incidentKinds)[number];

/** Row counts are 32-bit integers. */
const rowThreshold = z.int().min(0).max(2_147_483_647);

const conditionOut = z.object({ kind: z.enum(conditionKinds), threshold: z.int().nullable() });
export type Condition = z.output<typeof conditionOut>;

const needsThreshold = (kind: ConditionKind) => kind === "RowCountAbove" || kind === "RowCountBelow";

export const conditionIn = z
  .strictObject({ kind: z.enum(conditionKinds), threshold: rowThreshold.nullish() })
  .superRefine(({ kind, threshold }, context) => {
    if (needsThreshold(kind) && threshold == null)
      context.addIssue({ code: "custom", path: ["threshold"], message: `is required by ${kind}` });
    if (!needsThreshold(kind) && threshold != null)
      context.addIssue({ code: "custom", path: ["threshold"], message: `is not allowed for ${kind}` });
    if (kind === "RowCountBelow" && threshold === 0)
      context.addIssue({
        code: "custom",
        path: ["threshold"],
        message: "must be at least 1: a count is never below 0",
      });
  })
  .transform(({ kind, threshold }): Condition => ({ kind, threshold: threshold ?? null }));

const anomalyDetectionOut = z.object({
  enabled: z.boolean(),
  method: z.enum(anomalyMethods),
  sensitivity: z.number(),
  metric: z.enum(anomalyMetrics),
});
export type AnomalyDetection = z.output<typeof anomalyDetectionOut>;

export const anomalyDetectionIn = z
  .strictObject({
    enabled: z.boolean().default(false),
    method: z.enum(anomalyMethods).default("StandardDeviation"),
    sensitivity: z.number().min(0.1).max(10_000).optional().meta({
      description:
        "Standard deviations (2.5), the factor of the interquartile range (1.5), percent (50), or for Learned spreads (4)",
    }),
    metric: z.enum(anomalyMetrics).default("RowCount"),
  })
  .transform(
    (given): AnomalyDetection => ({
      ...given,
      sensitivity: given.sensitivity ?? defaultSensitivity[given.method],
    }),
  );

const subscriptionFields = z.strictObject({
  queryId: identifier,
  name: name.nullish().meta({ description: "Its own name; without one, it is called like its query" }),
  cronExpression,
  timezone: timezone.default("UTC"),
  enabled: z.boolean().default(true),
  parameters: record(z.string().max(100), parameterValue).default({}),
  timeoutSeconds: z.int().min(1).max(1800).default(60),
  condition: conditionIn.default({ kind: "RowsFound", threshold: null }),
  createTasks: z.boolean().default(false),
  anomalyDetection: anomalyDetectionIn.default({
    enabled: false,
    method: "StandardDeviation",
    sensitivity: defaultSensitivity.StandardDeviation,
    metric: "RowCount",
  }),
  recipientIds: z.array(identifier).max(100).default([]),
  silencedUntil: momentIn.nullish(),
});
export const createSubscriptionInput = subscriptionFields;
export const updateSubscriptionInput = subscriptionFields.extend({ id: identifier, baseRevision });
export type SubscriptionUpdate = z.output<typeof updateSubscriptionInput>;
export type SubscriptionWrite = z.output<typeof createSubscriptionInput>;
export type SubscriptionInput = z.input<typeof createSubscriptionInput>;

export const incidentSchema = z
  .object({
    kind: z.enum(incidentKinds),
    reason: z.string(),
    openedAt: momentOut,
    closedAt: momentOut.nullable(),
  })
  .meta({ id: "SubscriptionIncident" });

/** Whether an execution ran; "not run yet" is for a subscription without executions. */
export const runStates = ["Running", "Ran", "CouldNotRun", "TimedOut"] as const;
export type RunState = (typeof runStates)[number];

/** What its rows mean: a report that is always sent, or the result of the condition. */
export const verdicts = ["Report", "Found", "BelowThreshold", "Nothing"] as const;
export type Verdict = (typeof verdicts)[number];

export const toldStates = [
  "NothingToTell",
  "NobodyToTell",
  "Silenced",
  "Sending",
  "Told",
  "Retrying",
  "DeliveryFailed",
] as const;
export type ToldState = (typeof toldStates)[number];

/**
 * Described in docs/subscriptions.md rather than here, since assistants read every description along with the tool
 * list.
 */
export const outcomeSchema = z
  .object({
    run: z.enum(runStates),
    found: z
      .object({
        rowCount: z.int(),
        verdict: z.enum(verdicts),
        /** null if anomaly detection did not judge it. */
        isUsual: z.boolean().nullable(),
        isAcknowledged: z.boolean().meta({ description: "Whether someone has acknowledged its anomaly" }),
      })
      .nullable(),
    told: z.object({
      state: z.enum(toldStates),
      recipients: z.int(),
      sent: z.int(),
      failed: z.int().meta({ description: "Failed deliveries, including those that are being retried" }),
      silencedUntil: momentOut.nullable(),
    }),
  })
  .meta({ id: "Outcome" });
export type Outcome = z.output<typeof outcomeSchema>;

/** An outcome with Date times, as the service has them, or text times. */
export type OutcomeOf<Time> = Omit<Outcome, "told"> & {
  told: Omit<Outcome["told"], "silencedUntil"> & { silencedUntil: Time | null };
};

export const lastExecutionSchema = z.object({
  id: identifier,
  status: z.enum(executionStatuses),
  executedAt: momentOut,
  outcome: outcomeSchema,
});

export const executionSchema = z
  .object({
    id: identifier,
    subscriptionId: identifier,
    status: z.enum(executionStatuses),
    trigger: z.enum(executionTriggers),
    executedAt: momentOut.meta({ description: "Its start" }),
    rowCount: z.int().nullable(),
    executionTimeMs: z.int().nullable(),
    errorMessage: z.string().nullable(),
    queryVersion: z.int(),
    parameters: z.record(z.string(), parameterValue).nullable().meta({
      description: "The values that it ran with; null if it did not start",
    }),
    metricValue: z.number().nullable().meta({ description: "The first row's first number" }),
    metricColumn: z.string().nullable().meta({
      description: "The column that it is from, where anomaly detection looks at it",
    }),
    usual: z
      .object({ metric: z.enum(anomalyMetrics), low: z.number(), high: z.number() })
      .nullable()
      .meta({ description: "The normal range before it, inclusive; null if it was not judged" }),
    outcome: outcomeSchema,
  })
  .meta({ id: "Execution" });
export type Execution = z.output<typeof executionSchema>;
export const executionPageSchema = pageOf(executionSchema);

export const subscriptionSchema = z
  .object({
    id: identifier,
    queryId: identifier,
    queryName: z.string(),
    name: z.string().nullable().meta({ description: "Its own name" }),
    title: z.string().meta({
      description: "Its name, or its query's; of several without a name, with the schedule",
    }),
    projectId: identifier,
    cronExpression: z.string(),
    timezone: z.string(),
    enabled: z.boolean(),
    parameters: z.record(z.string(), parameterValue),
    timeoutSeconds: z.int(),
    condition: conditionOut,
    createTasks: z.boolean(),
    anomalyDetection: anomalyDetectionOut,
    recipientIds: z.array(identifier),
    ...silenceOut,
    revision: revisionSchema.meta({ description: "Incremented by every edit, including a silence" }),
    aiActorId: identifier.nullable(),
    owner: userReference.nullable(),
    incidents: z.array(incidentSchema).meta({ description: "What currently keeps it from running" }),
    lastExecution: lastExecutionSchema.nullable(),
    nextRunAt: momentOut.nullable(),
    approval: z
      .object({ id: identifier, status: z.enum(approvalStatuses) })
      .optional()
      .meta({
        description:
          "The pending request for approval, while the subscription does not run because its query is not approved",
      }),
    createdAt: momentOut,
  })
  .meta({ id: "Subscription" });
export type Subscription = z.output<typeof subscriptionSchema>;
export const subscriptionPageSchema = pageOf(subscriptionSchema);

export const subscriptionSorts = ["Created", "Attention", "Name", "LastExecution", "NextRun"] as const;
export type SubscriptionSort = (typeof subscriptionSorts)[number];

export const listSubscriptionsInput = z.strictObject({
  projectId: identifier.optional(),
  queryId: identifier.optional(),
  enabled: z.boolean().optional(),
  silenced: z.boolean().optional(),
  hasIncident: z.boolean().optional(),
  search: text(200).optional().meta({
    description:
      "Each word must be in the query's name or in a parameter's value. `%` and `_` match themselves",
  }),
  ...paging,
  sortBy: z.enum(subscriptionSorts).default("Created").meta({
    description:
      "Attention: first those with an incident, then with a failed last run, then the others, then disabled ones. LastExecution: newest first. NextRun: soonest first. Ties by name, then id",
  }),
  sortDirection: z.enum(["Asc", "Desc"]).optional().meta({
    description: "Reverses the default order; those that never ran or are not due stay last",
  }),
});
export type ListSubscriptions = z.output<typeof listSubscriptionsInput>;

export const listExecutionsInput = byId.extend(paging);

export const executionRowsInput = z.strictObject({ id: identifier, executionId: identifier });

/** Why the rows of a run could not be compared with those of the run before. */
export const uncomparedReasons = ["FirstRun", "RowsNotKept", "ColumnsChanged"] as const;

export const executionRowsSchema = z
  .object({
    executionId: identifier,
    rowCount: z.int().meta({ description: "All rows that it found" }),
    ...sampleFields,
    previous: z
      .object({ id: identifier, executedAt: momentOut, rowCount: z.int(), queryVersion: z.int() })
      .nullable()
      .meta({ description: "The last execution before it that returned a result" }),
    comparison: z
      .object({
        newRows: z.array(z.int()).meta({ description: "The indexes in `rows` of those that are new" }),
        newCount: z.int().meta({ description: "Among all compared rows" }),
        goneRows: sampleFields.rows.meta({ description: "The first of the rows that are gone" }),
        goneCount: z.int().meta({ description: "Among all compared rows" }),
        comparedRows: z
          .int()
          .nullable()
          .meta({ description: "Only this many first rows of each were compared; null if all were" }),
      })
      .nullable(),
    uncompared: z.enum(uncomparedReasons).nullable().meta({ description: "Why `comparison` is null" }),
  })
  .meta({ id: "ExecutionRows" });
export type ExecutionRows = z.output<typeof executionRowsSchema>;

/** The immediate response of `POST /subscriptions/{id}/execute`; with `Prefer: wait` it is the execution itself. */
export const executionStartedSchema = z.object({ executionId: identifier });

export const recentValuesInput = z.strictObject({ ids: z.array(identifier).max(500) });

/** The judged number of a subscription's last 30 runs, oldest first. */
export const recentValuesSchema = z.object({
  subscriptionId: identifier,
  metric: z.enum(anomalyMetrics),
  /** null for a run without a value, such as a failed one. */
  values: z.array(z.number().nullable()),
  /** By run: whether it was an anomaly. */
  anomalies: z.array(z.boolean()),
});
export type RecentValues = z.output<typeof recentValuesSchema>;

// --- backtest of a condition

export const backtestInput = byId.extend({
  condition: conditionIn,
  anomalyDetection: anomalyDetectionIn.optional(),
});
export const backtestSchema = z.object({
  /** Executions of the last 30 days with a row count; at most the newest 1,000. */
  executions: z.int(),
  since: momentOut.nullable(),
  wouldHaveNotified: z.int(),
  didNotify: z.int(),
  anomalies: z.int().nullable(),
});
export type Backtest = z.output<typeof backtestSchema>;

// --- anomalies

export const anomalySchema = z
  .object({
    id: identifier,
    subscriptionId: identifier,
    queryName: z.string(),
    subscriptionName: z.string().meta({ description: "The subscription's title" }),
    executionId: identifier,
    detectedAt: momentOut,
    severity: z.enum(anomalySeverities),
    metric: z.enum(anomalyMetrics),
    detectedValue: z.number(),
    expectedLow: z.number().nullable(),
    expectedHigh: z.number().nullable(),
    explanation: z.string(),
    acknowledged: z.boolean(),
    acknowledgedBy: userReference.nullable(),
  })
  .meta({ id: "Anomaly" });
export type Anomaly = z.output<typeof anomalySchema>;
export const anomalyPageSchema = pageOf(anomalySchema);

export const listAnomaliesInput = z.strictObject({
  projectId: identifier.optional(),
  subscriptionId: identifier.optional(),
  acknowledged: z.boolean().optional(),
  ...paging,
});
