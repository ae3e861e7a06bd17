import { z } from "zod";
import { userReference } from "../auth/schema.ts";
import { only } from "../db/schema-parts.ts";
import { lastExecutionSchema } from "../subscriptions/schema.ts";
import { healthRowSchema, statisticsSchema, subscriptionDetailSchema } from "./schema.ts";

/** MCP tool output for subscription health; the text next to it says more in fewer words. */

export const toldStatistics = statisticsSchema.pick(
  only(
    "totalSubscriptions",
    "healthySubscriptions",
    "warningSubscriptions",
    "criticalSubscriptions",
    "stalledSubscriptions",
    "totalUnresolvedTasks",
    "totalAnomalies30Days",
    "overallSuccessRate",
    "timeRangeDays",
  ),
);

export const toldHealth = healthRowSchema
  .pick(
    only(
      "subscriptionId",
      "status",
      "queryName",
      "subscriptionName",
      "folderPath",
      "dataSourceName",
      "successRate",
      "totalExecutions",
      "failedCount",
      "openTaskCount",
      "anomalyCount",
      "lastExecution",
    ),
  )
  .extend({ lastExecution: lastExecutionSchema.pick(only("status", "executedAt")).nullable() });

const { executions, openTasks, anomalies } = subscriptionDetailSchema.shape;

export const toldDetail = subscriptionDetailSchema
  .pick(
    only(
      "subscriptionId",
      "queryId",
      "queryName",
      "subscriptionName",
      "cronExpression",
      "timeRangeDays",
      "executions",
      "openTasks",
      "anomalies",
    ),
  )
  .extend({
    executions: z.array(
      executions.element.pick(only("status", "executedAt", "rowCount", "executionTimeMs", "errorMessage")),
    ),
    openTasks: z.array(
      openTasks.element
        .pick(only("id", "priority", "assignee", "snoozedUntil", "createdAt", "latestRowCount"))
        .extend({ assignee: userReference.pick(only("name")).nullable() }),
    ),
    anomalies: z.array(
      anomalies.element.pick(only("detectedAt", "severity", "detectedValue", "explanation", "acknowledged")),
    ),
  });
