import { z } from "zod";
import { userReference } from "../auth/schema.ts";
import { sampleModes } from "../data-sources/sample.ts";
import {
  byId,
  databaseName,
  description,
  identifier,
  momentOut,
  name,
  pageOf,
  paging,
  searching,
  sorting,
  text,
  timezone,
} from "../db/schema-parts.ts";
import { baseRevision, revisionSchema } from "../edits/schema.ts";
import { cronExpression } from "../jobs/cron-schema.ts";
import { recipientSchema } from "../notifications/schema.ts";
import { silenceOut } from "../notifications/silence.ts";
import { type RuleWrite, readRule, ruleFields, ruleSchema } from "./rule-schema.ts";
import { lastMeasured, scoreOut, trends } from "./score-schema.ts";

export const maxRules = 200;

export const samples = z.enum(sampleModes).default("Masked").meta({
  description:
    "Which failing rows are kept for 30 days: none, up to 20 with personal data and secrets masked, or up to 20 unmasked",
});

const contextMeaning =
  "What AI actors and assistants should know before they use the table: how to read it, and what not to do with it";

export const contractFields = z.strictObject({
  name,
  description: description.nullish(),
  context: text(8000).nullish().meta({ description: contextMeaning }),
  dataSourceId: identifier,
  schemaName: databaseName.optional(),
  tableName: databaseName,
  cronExpression,
  timezone: timezone.default("UTC"),
  failureThreshold: z.number().min(0).max(100).default(80),
  enabled: z.boolean().default(true),
  alertOnFailure: z.boolean().default(true),
  reminderHours: z.int().min(1).max(8760).nullable().default(24).meta({
    description:
      "Hours after which the next scheduled evaluation repeats an open alert; null never repeats it",
  }),
  createTasks: z.boolean().default(false).meta({
    description: "Whether a scheduled score below the threshold opens a task, until it recovers",
  }),
  samples,
  recipientIds: z.array(identifier).max(100).default([]),
  rules: z.array(ruleFields).min(1, "needs at least one rule").max(maxRules),
});

export function readRules<
  Fields extends Pick<z.output<typeof contractFields>, "schemaName" | "tableName" | "rules">,
>(fields: Fields, context: z.RefinementCtx): Omit<Fields, "rules"> & { rules: RuleWrite[] } {
  const keys = new Set<string>();
  const rules = fields.rules.map((rule, index) => {
    if (rule.key && keys.has(rule.key))
      context.addIssue({ code: "custom", path: ["rules", index, "key"], message: "is used by another rule" });
    if (rule.key) keys.add(rule.key);
    return readRule(rule, fields, (path, message) =>
      context.addIssue({ code: "custom", path: ["rules", index, ...path], message }),
    );
  });
  return { ...fields, rules };
}

export const createContractInput = contractFields.transform(readRules);
export const updateContractInput = contractFields
  .extend({ id: identifier, baseRevision })
  .transform(readRules);
export type ContractUpdate = z.output<typeof updateContractInput>;
export type ContractInput = z.input<typeof createContractInput>;
export type ContractWrite = z.output<typeof createContractInput>;

export const contractSchema = z
  .object({
    id: identifier,
    name: z.string(),
    description: z.string().nullable(),
    context: z.string().nullable().meta({ description: contextMeaning }),
    projectId: identifier,
    dataSourceId: identifier,
    dataSourceName: z.string(),
    schemaName: z.string(),
    tableName: z.string(),
    cronExpression: z.string(),
    timezone: z.string(),
    failureThreshold: z.number(),
    enabled: z.boolean(),
    alertOnFailure: z.boolean(),
    reminderHours: z.int().nullable(),
    createTasks: z.boolean(),
    openTaskId: identifier.nullable(),
    owner: userReference.nullable(),
    ...silenceOut,
    samples: z.enum(sampleModes),
    revision: revisionSchema.meta({ description: "Incremented by every edit" }),
    version: revisionSchema.meta({ description: "Number of the current version" }),
    recipients: z.array(recipientSchema),
    rules: z.array(ruleSchema),
    latestScore: scoreOut.nullable(),
    previousScore: scoreOut.nullable(),
    trend: z.enum(trends).nullable(),
    lastEvaluatedAt: momentOut.nullable(),
    ...lastMeasured,
    openAlert: z
      .object({
        openedAt: momentOut,
        lastToldAt: momentOut,
        lastToldScore: scoreOut,
        toldNotEvaluated: z.boolean().meta({ description: "Whether the last alert was of an outage" }),
        reminderAfter: momentOut
          .nullable()
          .meta({ description: "The first scheduled run from then on repeats it; null never repeats it" }),
      })
      .nullable()
      .meta({ description: "null unless recipients were alerted and the contract has not recovered" }),
    nextRunAt: momentOut.nullable(),
    createdAt: momentOut,
    updatedAt: momentOut,
  })
  .meta({ id: "Contract" });
export type Contract = z.output<typeof contractSchema>;

export const listContractsInput = z.strictObject({
  projectId: identifier.optional(),
  dataSourceId: identifier.optional(),
});

/** By its last evaluation, or whether it is on. */
export const contractStates = ["Below", "Met", "Unreachable", "Waiting", "Disabled", "Silenced"] as const;
export type ContractState = (typeof contractStates)[number];
export const contractSorts = ["Name", "Target", "Score", "NextRun"] as const;
export type ContractSort = (typeof contractSorts)[number];

export const searchContractsInput = listContractsInput.extend({
  state: z.enum(contractStates).optional().meta({
    description:
      "Below or Met its threshold, Unreachable at the last evaluation, Waiting for the first one; or Disabled or Silenced",
  }),
  ownerId: identifier.optional(),
  ...searching("the contract's, the table's, or the data source's name"),
  ...paging,
  ...sorting(contractSorts, "Name", {
    description: "Target: by data source and table. Score: lowest first. NextRun: soonest first",
  }),
});
export type SearchContracts = z.output<typeof searchContractsInput>;
export const contractPageSchema = pageOf(contractSchema);

export const assignContractInput = byId.extend({
  userId: identifier.nullish().meta({ description: "null or omitted leaves it without an owner" }),
});
