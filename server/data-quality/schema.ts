import { z } from "zod";
import { userReference } from "../auth/schema.ts";
import { runCost } from "../data-sources/cost-schema.ts";
import { sampleFields, sampleModes } from "../data-sources/sample.ts";
import {
  byId,
  databaseName,
  description,
  identifier,
  listOf,
  momentIn,
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
import { optionProperties, optionsSchema, splitConfiguration } from "./rules/rule-options.ts";
import { ruleDefinition, ruleDefinitions, ruleTypes, typesWith } from "./rules/rules.ts";
import { tableColumn } from "./rules/table-columns.ts";
import { severities } from "./severities.ts";

export { type RuleType, ruleTypes } from "./rules/rules.ts";
export const trends = ["Improving", "Stable", "Degrading"] as const;
export const evaluationTriggers = ["Manual", "Scheduled"] as const;
export const evaluationStatuses = ["Running", "Completed"] as const;

export type Trend = (typeof trends)[number];

export const scoreOut = z.number().min(0).max(100);

/** A contract's or table's latest measured score, and why there is no later one. */
export const lastMeasured = {
  measured: z
    .object({
      score: scoreOut,
      previousScore: scoreOut.nullable(),
      trend: z.enum(trends),
      evaluatedAt: momentOut,
    })
    .nullable()
    .meta({
      description:
        "The latest measured score and its trend since the previous one. Evaluations that could not reach the data source do not count",
    }),
  outage: z.object({ since: momentOut, reason: z.string() }).nullable().meta({
    description:
      "Since when and why the data source could not be reached; null if the latest evaluation reached it",
  }),
};

export const couldNotEvaluate = z.boolean().meta({
  description: "Whether no rule could be measured because the data source could not be reached",
});

// --- rules

export const ruleSchema = z
  .object({
    id: identifier,
    key: z.uuid(),
    name: z.string(),
    type: z.enum(ruleTypes),
    column: z.string().nullable(),
    severity: z.enum(severities),
    weight: z.number(),
    enabled: z.boolean(),
    configuration: z.record(z.string(), z.unknown()),
  })
  .meta({ id: "Rule" });
export type Rule = z.output<typeof ruleSchema>;

/** A key that Zod would silently drop; here it is rejected like any unknown one. */
const configurationIn = z.preprocess(
  (value, context) => {
    if (typeof value === "object" && value !== null && Object.hasOwn(value, "__proto__"))
      context.addIssue({ code: "unrecognized_keys", keys: ["__proto__"], input: {} });
    return value;
  },
  z.record(z.string(), z.unknown()),
);

export const ruleFields = z.strictObject({
  key: z
    .uuid()
    .optional()
    .meta({ description: "Stable identifier. Send it back to keep the rule's history" }),
  name,
  type: z.enum(ruleTypes),
  column: databaseName.nullish(),
  severity: z.enum(severities).default("Medium"),
  weight: z.number().min(0.1).max(10).default(1),
  enabled: z.boolean().default(true),
  configuration: configurationIn.default({}).meta({
    description: `By type. ${ruleDefinitions.map(({ type, properties }) => `${type}: ${properties}.`).join(" ")} ${optionProperties}.`,
  }),
});

/** A validated rule: its configuration fits its type, and its column is stored separately. */
export type RuleWrite = Omit<z.output<typeof ruleFields>, "column"> & {
  column: string | null;
  /** The schema in the configuration, if the contract uses the data source's default. */
  claimedSchema?: string;
};

export type Issue = (path: PropertyKey[], message: string) => void;

/**
 * A rule as sent to the API. `column` and `configuration.column` are the same value, and either may be given;
 * `configuration.schema` and `.table` are accepted if they are the contract's own, and not stored.
 */
export function readRule(
  rule: z.output<typeof ruleFields>,
  contract: { schemaName?: string | undefined; tableName: string },
  issue: Issue,
): RuleWrite {
  const { schema, table, column: configuredColumn, ...own } = rule.configuration;
  if (schema !== undefined && schema !== (contract.schemaName ?? schema))
    issue(["configuration", "schema"], "must be the contract's own schema");
  if (table !== undefined && table !== contract.tableName)
    issue(["configuration", "table"], "must be the contract's own table");
  if (rule.column != null && configuredColumn !== undefined && configuredColumn !== rule.column)
    issue(["column"], "differs from configuration.column");
  const column = databaseName.nullish().safeParse(rule.column ?? configuredColumn);
  if (!column.success) issueEach(column.error, ["configuration", "column"], issue);

  const definition = ruleDefinition(rule.type);
  const takesColumn = "column" in definition.configuration.shape;
  const takesColumns = Object.values(definition.fields).some(({ kind }) => kind === "columns");
  if (takesColumns && (rule.column ?? configuredColumn) != null)
    issue(["column"], "is not known for this type; configuration.columns is");
  const split = splitConfiguration(definition, own);
  const complete = takesColumn ? { ...split.own, column: rule.column ?? configuredColumn } : split.own;
  const configuration = definition.configuration.safeParse(complete, {
    error: ({ input }) => (input === undefined ? "is required" : undefined),
  });
  if (!configuration.success && column.success) issueEach(configuration.error, ["configuration"], issue);
  const options = optionsSchema.safeParse(split.options);
  if (!options.success) issueEach(options.error, ["configuration"], issue);
  return {
    ...rule,
    column: column.data ?? null,
    configuration: { ...without(configuration.data ?? {}, split.filled), ...options.data },
    ...(typeof schema === "string" && contract.schemaName === undefined ? { claimedSchema: schema } : {}),
  };
}

const without = (configuration: Record<string, unknown>, keys: readonly string[]) =>
  Object.fromEntries(Object.entries(configuration).filter(([key]) => !keys.includes(key)));

function issueEach({ issues }: z.ZodError, below: PropertyKey[], issue: Issue): void {
  for (const each of issues)
    if (each.code === "unrecognized_keys")
      for (const key of each.keys) issue([...below, ...each.path, key], "is not a known property");
    else issue([...below, ...each.path], each.message);
}

// --- contracts

export const maxRules = 200;

const samples = z.enum(sampleModes).default("Masked").meta({
  description:
    "Which failing rows are kept for 30 days: none, up to 20 with personal data and secrets masked, or up to 20 unmasked",
});

const contextMeaning =
  "What AI actors and assistants should know before they use the table: how to read it, and what not to do with it";

const contractFields = z.strictObject({
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

function readRules<
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

// --- dry runs

const ofContract = { schemaName: databaseName.optional(), tableName: databaseName, samples };

/** A draft may lack what only matters once it is saved. */
export const dryRunContractInput = contractFields
  .extend({ name: name.optional(), cronExpression: cronExpression.optional() })
  .transform(readRules);
export type ContractDraft = z.output<typeof dryRunContractInput>;

export const dryRunRuleInput = z
  .strictObject({ dataSourceId: identifier, ...ofContract, rule: ruleFields })
  .transform((draft, context) => ({
    ...draft,
    rule: readRule(draft.rule, draft, (path, message) =>
      context.addIssue({ code: "custom", path: ["rule", ...path], message }),
    ),
  }));
export type RuleDraft = z.output<typeof dryRunRuleInput>;

export const readColumnsInput = z.strictObject({
  dataSourceId: identifier,
  schemaName: databaseName.optional(),
  tableName: databaseName,
});
export type ReadColumns = z.output<typeof readColumnsInput>;
export const tableColumnsSchema = listOf(tableColumn.meta({ id: "TableColumn" }));

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

// --- evaluations

const groupResultsSchema = z
  .object({
    total: z.int().meta({ description: "How many groups there are" }),
    failing: z.int().meta({ description: "How many of them fail" }),
    columns: sampleFields.columns.meta({ description: "The columns of `groupBy`" }),
    maskedColumns: sampleFields.maskedColumns,
    worst: z
      .array(
        z.object({
          values: sampleFields.rows.element.meta({
            description: "In the order of `columns`, masked as failing rows are",
          }),
          rows: z.number().meta({ description: "How many rows the group has" }),
          failing: z
            .number()
            .nullable()
            .meta({ description: "How many of them fail; null if the type does not count rows" }),
          actualValue: z.string().nullable(),
        }),
      )
      .meta({
        description:
          "Groups that fail, worst first: up to 100, up to 5 in a list of evaluations, none if the contract keeps no failing rows",
      }),
  })
  .meta({ id: "GroupResults" });
export type GroupResults = z.output<typeof groupResultsSchema>;
/** As stored: with what recognizes a group in later results, which is not shown. */
export type KeptGroups = Omit<GroupResults, "worst"> & {
  worst: (GroupResults["worst"][number] & { identity?: string })[];
};

export const ruleResultSchema = z
  .object({
    ruleId: identifier,
    ruleName: z.string(),
    ruleType: z.enum(ruleTypes),
    severity: z.enum(severities),
    weight: z.number(),
    passed: z.boolean(),
    couldRun: z
      .boolean()
      .meta({ description: "false if the rule's SQL could not run and nothing was measured" }),
    score: scoreOut,
    expectedValue: z.string().nullable(),
    actualValue: z.string().nullable(),
    message: z.string().nullable(),
    failing: z
      .number()
      .nullable()
      .meta({
        description: `How many rows fail, values for ${typesWith("values").join(" and ")}, or changes for ${typesWith("changes").join(" and ")}; null if they are not counted`,
      }),
    groups: groupResultsSchema
      .nullable()
      .meta({ description: "Of a rule by group that could run; null for other rules" }),
    knownFailures: z
      .array(
        z.object({
          id: identifier,
          group: z
            .string()
            .nullable()
            .meta({ description: "The group or the value in words; null for the whole rule" }),
          until: z.iso.datetime(),
          reason: z.string(),
          by: z.string().meta({ description: "The name of the person who marked it" }),
        }),
      )
      .meta({
        description:
          "Known failures that were found, up to 20: `passed` and `score` are as if they were not there, `failing` and `groups` count them",
      }),
    executionTimeMs: z.int(),
  })
  .meta({ id: "RuleResult" });
export type RuleResult = z.output<typeof ruleResultSchema>;

export const evaluationSchema = z
  .object({
    id: identifier,
    contractId: identifier,
    version: revisionSchema.nullable().meta({
      description:
        "The contract's version that it judged; null until its rules are loaded, or if it is older than the record of versions",
    }),
    trigger: z.enum(evaluationTriggers),
    status: z.enum(evaluationStatuses),
    /** How many rules have been measured, all of them when the evaluation is Completed, and which are in progress. */
    progress: z.object({
      done: z.int(),
      total: z.int(),
      running: z.array(z.string()).meta({ description: "Names of some of the rules being measured" }),
    }),
    /** null while the evaluation is Running. */
    overallScore: scoreOut.nullable(),
    passedCount: z.int(),
    failedCount: z.int(),
    executionTimeMs: z.int().nullable(),
    cost: runCost,
    evaluatedAt: momentOut.nullable(),
    couldNotEvaluate,
    notEvaluatedBecause: z
      .string()
      .nullable()
      .meta({ description: "Why the data source could not be reached; null if it was reached" }),
    ruleResults: z.array(ruleResultSchema).meta({
      description: "Omits rules that have been changed or removed since, and results that are no longer kept",
    }),
  })
  .meta({ id: "Evaluation" });
export type Evaluation = z.output<typeof evaluationSchema>;

// --- what a rule learned

const bound = z.number().nullable().meta({ description: "null on a side that does not matter" });
/** What was usual at a measurement. */
export const usualRange = z.object({ low: bound, high: bound });

// --- known failures

const markKnownFailureFields = z.strictObject({
  id: identifier,
  ruleKey: z.uuid(),
  group: z
    .strictObject({
      evaluationId: identifier,
      position: z.int().min(0).max(99).meta({ description: "The group's place in `worst`, from 0" }),
    })
    .nullish()
    .meta({
      description:
        "One failing group, as an evaluation lists it; without it and `value`, all that fails the rule",
    }),
  value: z
    .strictObject({
      evaluationId: identifier,
      position: z.int().min(0).max(19).meta({ description: "The value's place in `byValue`, from 0" }),
    })
    .nullish()
    .meta({
      description: "One failing value of the rule's column, as the samples of an evaluation list it",
    }),
  until: momentIn,
  reason: text(500).trim().min(1, "is required"),
});
export const markKnownFailureInput = markKnownFailureFields.superRefine(({ group, value }, context) => {
  if (group && value)
    context.addIssue({ code: "custom", path: ["value"], message: "must be empty if group is set" });
});
export const endKnownFailureInput = z.strictObject({ id: identifier, failureId: identifier });

export const knownFailureSchema = z
  .object({
    id: identifier,
    ruleKey: z.uuid(),
    ruleName: z.string(),
    group: z
      .string()
      .nullable()
      .meta({ description: "The group or the value in words; null for the whole rule" }),
    until: momentOut,
    reason: z.string(),
    by: userReference,
    createdAt: momentOut,
    endedAt: momentOut.nullable().meta({ description: "When a person ended it early" }),
  })
  .meta({ id: "KnownFailure" });
export type KnownFailure = z.output<typeof knownFailureSchema>;

export const listEvaluationsInput = z.strictObject({
  id: identifier,
  take: z.int().min(1).max(500).default(20),
});

// --- samples

const failingValuesSchema = z
  .object({
    column: z.string(),
    values: z
      .array(z.object({ value: z.union([z.string(), z.number(), z.boolean(), z.null()]), rows: z.int() }))
      .meta({ description: "At most 20, most frequent first" }),
    isMasked: z.boolean(),
    hasMore: z.boolean().meta({ description: "Whether there are more values" }),
  })
  .meta({ id: "FailingValues" });
export type FailingValues = z.output<typeof failingValuesSchema>;

export const samplesSchema = z
  .object({
    ...sampleFields,
    byValue: failingValuesSchema.nullable().meta({
      description:
        "How many failing rows have which value in the rule's column, counted in the whole table; null for rules that say nothing about the values of one column",
    }),
    columns: sampleFields.columns.meta({
      description: "The primary key first (if known), then the rule's column, then the others",
    }),
    totalFailing: z
      .number()
      .nullable()
      .meta({
        description: `Number of rows that failed when measured; for ${typesWith("values").join(" and ")}, the number of values; for ${typesWith("changes").join(" and ")}, of changes`,
      }),
  })
  .meta({ id: "Samples" });
export type Samples = z.output<typeof samplesSchema>;

export const samplesInput = z.strictObject({ id: identifier, ruleId: identifier });

// --- results of dry runs

const coursePoint = z.object({
  evaluatedAt: momentOut,
  measured: z.number(),
  passed: z
    .boolean()
    .meta({ description: "Whether it was usual then, as the rule is sent; for the last one, the verdict" }),
  usual: usualRange.nullable().meta({ description: "null with too few measurements before it" }),
});

export const dryRunResultSchema = ruleResultSchema
  .omit({ ruleId: true })
  .extend({
    key: z.uuid().nullable().meta({ description: "The rule's key, if sent" }),
    samples: samplesSchema.nullable().meta({ description: "Some of the rows that failed, if any" }),
    course: z.array(coursePoint).nullable().meta({
      description:
        "Of a rule that learns what is usual, its latest 60 measurements, oldest first; the last one is this dry run. null for other rules, and if nothing was measured",
    }),
  })
  .meta({ id: "DryRunResult" });
export type DryRunResult = z.output<typeof dryRunResultSchema>;

export const contractDryRunSchema = z
  .object({
    overallScore: scoreOut,
    passedCount: z.int(),
    failedCount: z.int(),
    executionTimeMs: z.int(),
    ruleResults: z.array(dryRunResultSchema).meta({ description: "Of the enabled rules, in order" }),
  })
  .meta({ id: "ContractDryRun" });
export type ContractDryRun = z.output<typeof contractDryRunSchema>;
