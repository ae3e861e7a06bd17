import { z } from "zod";
import { only } from "../db/schema-parts.ts";
import { recipientSchema } from "../notifications/schema.ts";
import { evaluationSchema, ruleResultSchema } from "./evaluations/schema.ts";
import { ruleSchema } from "./rule-schema.ts";
import { contractSchema } from "./schema.ts";

/** Contracts and evaluations for assistants, without the fields that only people can edit. */

const ofAnyContract = [
  "id",
  "name",
  "projectId",
  "dataSourceId",
  "dataSourceName",
  "schemaName",
  "tableName",
  "cronExpression",
  "failureThreshold",
  "enabled",
  "latestScore",
  "trend",
  "lastEvaluatedAt",
] as const;

export const listedContract = contractSchema.pick(only(...ofAnyContract));

/** The last score before an outage is described in words. */
export const contractAnswer = contractSchema
  .pick(
    only(
      ...ofAnyContract,
      "description",
      "context",
      "timezone",
      "alertOnFailure",
      "recipients",
      "rules",
      "previousScore",
      "outage",
      "nextRunAt",
    ),
  )
  .extend({
    recipients: z.array(recipientSchema.pick(only("name", "type"))),
    rules: z.array(
      ruleSchema.pick(only("id", "name", "type", "column", "severity", "weight", "enabled", "configuration")),
    ),
    outage: contractSchema.shape.outage.unwrap().pick(only("reason")).nullable(),
  });

/** A completed evaluation. An outage is described in words, and by each rule's message. */
export const evaluationAnswer = evaluationSchema
  .pick(
    only(
      "id",
      "trigger",
      "status",
      "overallScore",
      "passedCount",
      "failedCount",
      "evaluatedAt",
      "ruleResults",
    ),
  )
  .extend({
    ruleResults: z.array(
      ruleResultSchema.pick(
        only(
          "ruleId",
          "ruleName",
          "ruleType",
          "severity",
          "passed",
          "couldRun",
          "score",
          "expectedValue",
          "actualValue",
          "message",
          "knownFailures",
        ),
      ),
    ),
  });
