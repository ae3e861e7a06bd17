import { z } from "zod";
import { userReference } from "../auth/schema.ts";
import { only } from "../db/schema-parts.ts";
import { actionSchema, evidenceSchema, pendingPlanSchema, planSchema } from "./schema.ts";

/** The plans that assistants get. */

export const pendingPlanAnswer = pendingPlanSchema.pick(
  only("id", "actorId", "actorName", "trigger", "version", "actions", "proposedAt"),
);

const ofEveryAction = ["kind", "index", "reasoning", "status", "error", "evidence"] as const;
// Assistants get the verdicts of the gates; only people see rows, with their masks.
const evidence = { evidence: evidenceSchema.pick(only("valid", "issues", "rules")).optional() };

const [
  createQuery,
  createSubscription,
  refineQuery,
  archiveQuery,
  archiveSubscription,
  sendNotification,
  createContract,
  addRules,
] = actionSchema.options;
// A rule's name and sentence say what a configuration says at length.
const rules = z.array(createContract.shape.rules.element.pick(only("name", "type", "sentence", "findingId")));

const actionAnswer = z.discriminatedUnion("kind", [
  createQuery.pick(only(...ofEveryAction, "name", "description", "sql")).extend(evidence),
  createSubscription
    .pick(only(...ofEveryAction, "queryName", "queryId", "cronExpression", "timezone"))
    .extend(evidence),
  refineQuery
    .pick(only(...ofEveryAction, "queryId", "queryName", "currentSql", "proposedSql", "isLocked"))
    .extend(evidence),
  archiveQuery.pick(only(...ofEveryAction, "queryId", "queryName")).extend(evidence),
  archiveSubscription.pick(only(...ofEveryAction, "subscriptionId", "queryName")).extend(evidence),
  sendNotification.pick(only(...ofEveryAction, "subject", "body", "severity")).extend(evidence),
  createContract
    .pick(only(...ofEveryAction, "name", "schemaName", "tableName", "cronExpression", "timezone"))
    .extend({ ...evidence, rules }),
  addRules
    .pick(only(...ofEveryAction, "contractId", "contractName", "schemaName", "tableName"))
    .extend({ ...evidence, rules }),
]);

export const planAnswer = planSchema
  .pick(
    only(
      "id",
      "actorId",
      "actorName",
      "trigger",
      "status",
      "version",
      "userInstruction",
      "analysis",
      "keyFindings",
      "feedbackAnswers",
      "actions",
      "proposedAt",
      "expiredReason",
      "reviewer",
      "decidedAt",
      "decisionReason",
    ),
  )
  .extend({
    actions: z.array(actionAnswer),
    reviewer: userReference.pick(only("name")).nullable(),
  });
