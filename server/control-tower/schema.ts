import { z } from "zod";
import { userReference } from "../auth/schema.ts";
import { identifier, momentOut, pageOf, paging, text } from "../db/schema-parts.ts";
import { executionStatuses } from "../subscriptions/kinds.ts";
import { anomalySeverities, lastExecutionSchema, outcomeSchema } from "../subscriptions/schema.ts";
import { taskPriorities } from "../tasks/kinds.ts";

export const healthStatuses = ["Green", "Amber", "Red", "Stalled"] as const;
export type HealthStatus = (typeof healthStatuses)[number];

export const healthSorts = [
  "Name",
  "SuccessRate",
  "Executions",
  "OpenTasks",
  "Anomalies",
  "LastExecution",
  "WorstFirst",
  "Status",
] as const;
export type HealthSort = (typeof healthSorts)[number];

/** The time ranges offered on the page, in days. The API accepts 1 to 365. */
export const offeredTimeRanges = [1, 7, 30, 90] as const;
export const defaultTimeRange = 30;

const timeRangeDays = z.int().min(1).max(365).default(defaultTimeRange);

const filters = {
  projectId: identifier.optional(),
  timeRangeDays,
  folderId: identifier.optional().meta({ description: "With subfolders" }),
  dataSourceId: identifier.optional().meta({ description: "Of any query step" }),
  healthStatus: z.enum(healthStatuses).optional(),
  hasUnresolvedTasks: z.boolean().optional().meta({
    description: "false does not filter",
  }),
  searchKeyword: text(200).optional().meta({ description: "In the query's or its own name" }),
};

export const statisticsInput = z.strictObject(filters);
export type HealthFilter = z.output<typeof statisticsInput>;

export const healthInput = z.strictObject({
  ...filters,
  ...paging,
  sortBy: z.enum(healthSorts).default("WorstFirst"),
  sortDirection: z.enum(["Asc", "Desc"]).optional().meta({
    description: "Reverses the default order",
  }),
});
export type HealthQuery = z.output<typeof healthInput>;

const percent = z.number().min(0).max(100);

export const statisticsSchema = z
  .object({
    totalSubscriptions: z.int(),
    healthySubscriptions: z.int(),
    warningSubscriptions: z.int(),
    criticalSubscriptions: z.int(),
    stalledSubscriptions: z.int(),
    totalUnresolvedTasks: z.int(),
    totalAnomalies30Days: z.int().meta({ description: "For the chosen window, despite its name" }),
    overallSuccessRate: percent.meta({ description: "Percent; 100 if nothing ran" }),
    timeRangeDays: z.int(),
  })
  .meta({ id: "ControlTowerStatistics" });
export type Statistics = z.output<typeof statisticsSchema>;

/** How many subscriptions count as healthy only because they are at most a day old and have not run. */
export const notRunYetSchema = z.object({ count: z.int() });

export const healthRowSchema = z
  .object({
    subscriptionId: identifier,
    status: z.enum(healthStatuses),
    queryId: identifier,
    queryName: z.string(),
    subscriptionName: z.string().meta({ description: "The subscription's title" }),
    folderPath: z.string().nullable(),
    dataSourceId: identifier.nullable().meta({ description: "The first data source of its query" }),
    dataSourceName: z.string().nullable(),
    hasAiActor: z.boolean(),
    aiActorName: z.string().nullable(),
    anomalyDetectionEnabled: z.boolean(),
    successRate: percent.nullable().meta({ description: "Percent; null if nothing ran" }),
    totalExecutions: z.int(),
    failedCount: z.int().meta({ description: "All unsuccessful executions" }),
    openTaskCount: z.int(),
    totalTaskCount: z.int(),
    anomalyCount: z.int(),
    anomaliesByDay: z.array(z.object({ date: z.iso.date(), count: z.int() })).meta({
      description: "Every UTC day in the window, oldest first",
    }),
    lastExecution: lastExecutionSchema.nullable(),
  })
  .meta({ id: "HealthRow" });
export type HealthRow = z.output<typeof healthRowSchema>;
export const healthPageSchema = pageOf(healthRowSchema);
export type HealthPage = z.output<typeof healthPageSchema>;

export const detailInput = z.strictObject({ id: identifier, timeRangeDays });

export const subscriptionDetailSchema = z
  .object({
    subscriptionId: identifier,
    queryId: identifier,
    queryName: z.string(),
    subscriptionName: z.string().meta({ description: "The subscription's title" }),
    folderPath: z.string().nullable(),
    cronExpression: z.string(),
    timeRangeDays: z.int(),
    executions: z.array(
      z.object({
        id: identifier,
        status: z.enum(executionStatuses),
        executedAt: momentOut,
        rowCount: z.int().nullable(),
        executionTimeMs: z.int().nullable(),
        errorMessage: z.string().nullable(),
        outcome: outcomeSchema,
      }),
    ),
    openTasks: z.array(
      z.object({
        id: identifier,
        priority: z.enum(taskPriorities),
        assignee: userReference.nullable(),
        snoozedUntil: momentOut.nullable(),
        createdAt: momentOut,
        latestRowCount: z.int(),
      }),
    ),
    anomalies: z.array(
      z.object({
        id: identifier,
        detectedAt: momentOut,
        severity: z.enum(anomalySeverities),
        detectedValue: z.number(),
        explanation: z.string(),
        acknowledged: z.boolean(),
      }),
    ),
  })
  .meta({ id: "SubscriptionDetail" });
export type SubscriptionDetail = z.output<typeof subscriptionDetailSchema>;
