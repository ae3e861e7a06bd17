import { z } from "zod";
import { databaseName, description, identifier, listOf, momentOut, name } from "../db/schema-parts.ts";
import { cronExpression, timezone } from "../jobs/cron.ts";
import { recipientSchema } from "../notifications/schema.ts";
import { configurations, ruleTypes } from "./rules/configuration.ts";

export { type RuleType, ruleTypes } from "./rules/configuration.ts";
export const severities = ["Low", "Medium", "High", "Critical"] as const;
export const trends = ["Improving", "Stable", "Degrading"] as const;
export const evaluationTriggers = ["Manual", "Scheduled"] as const;
/** What is kept of rows that fail: nothing, rows with what is sensitive in them masked, or rows as they are. */
export const sampleModes = ["Off", "Masked", "Full"] as const;
export const evaluationStatuses = ["Running", "Completed"] as const;

export type Severity = (typeof severities)[number];
export type Trend = (typeof trends)[number];
export type SampleMode = (typeof sampleModes)[number];

/** What `effectiveWeight` multiplies a rule's weight with. */
export const severityMultiplier: Record<Severity, number> = { Low: 1, Medium: 2, High: 3, Critical: 4 };
/** A table at or above this score counts as healthy. */
export const healthyScore = 80;

const scoreOut = z.number().min(0).max(100);

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

/** Zod drops a property of this name from a record in silence; here it is refused like any unknown one. */
const configurationIn = z.preprocess(
  (value, context) => {
    if (typeof value === "object" && value !== null && Object.hasOwn(value, "__proto__"))
      context.addIssue({ code: "unrecognized_keys", keys: ["__proto__"], input: {} });
    return value;
  },
  z.record(z.string(), z.unknown()),
);

const ruleFields = z.strictObject({
  key: z
    .uuid()
    .optional()
    .meta({ description: "A stable identity: sent back, it says that this is the same rule" }),
  name,
  type: z.enum(ruleTypes),
  column: databaseName.nullish(),
  severity: z.enum(severities).default("Medium"),
  weight: z.number().min(0.1).max(10).default(1),
  enabled: z.boolean().default(true),
  configuration: configurationIn.default({}).meta({
    description:
      "By type. Freshness: column, maxAgeMinutes. Volume: minRows and/or maxRows. NullRate: column, maxNullPercent. Uniqueness: column. Referential: column, referenceTable, referenceColumn, referenceSchema?. Range: column, min and/or max, as text or numbers. Pattern: column, pattern. CustomSql: sql.",
  }),
});

/** A rule that has been read: its configuration fits its type, and its column is taken out of it. */
export type RuleWrite = Omit<z.output<typeof ruleFields>, "column"> & {
  column: string | null;
  /** The configuration's schema, where the contract leaves its own to the data source's default. */
  claimedSchema?: string;
};

type Issue = (path: PropertyKey[], message: string) => void;

/**
 * A rule as it is written. `column` and `configuration.column` are one value, and either may be given;
 * `configuration.schema` and `.table` are accepted when they are the contract's own, and not kept.
 */
function readRule(
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

  const takesColumn = "column" in configurations[rule.type].shape;
  const complete = takesColumn ? { ...own, column: rule.column ?? configuredColumn } : own;
  const configuration = configurations[rule.type].safeParse(complete, {
    error: ({ input }) => (input === undefined ? "is required" : undefined),
  });
  if (!configuration.success && column.success) issueEach(configuration.error, ["configuration"], issue);
  return {
    ...rule,
    column: column.data ?? null,
    configuration: configuration.data ?? {},
    ...(typeof schema === "string" && contract.schemaName === undefined ? { claimedSchema: schema } : {}),
  };
}

function issueEach({ issues }: z.ZodError, below: PropertyKey[], issue: Issue): void {
  for (const each of issues)
    if (each.code === "unrecognized_keys")
      for (const key of each.keys) issue([...below, ...each.path, key], "is not a known property");
    else issue([...below, ...each.path], each.message);
}

// --- contracts

const samples = z.enum(sampleModes).default("Masked").meta({
  description:
    "Which rows are kept for 30 days where a rule fails: none, up to 20 with personal data and secrets masked, or up to 20 as they are",
});

const contractFields = z.strictObject({
  name,
  description: description.nullish(),
  dataSourceId: identifier,
  schemaName: databaseName.optional(),
  tableName: databaseName,
  cronExpression,
  timezone: timezone.default("UTC"),
  failureThreshold: z.number().min(0).max(100).default(80),
  enabled: z.boolean().default(true),
  alertOnFailure: z.boolean().default(true),
  samples,
  recipientIds: z.array(identifier).max(100).default([]),
  rules: z.array(ruleFields).min(1, "needs at least one rule").max(200),
});

function readRules<Fields extends z.output<typeof contractFields>>(
  fields: Fields,
  context: z.RefinementCtx,
): Omit<Fields, "rules"> & { rules: RuleWrite[] } {
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
export const updateContractInput = contractFields.extend({ id: identifier }).transform(readRules);
export type ContractInput = z.input<typeof createContractInput>;
export type ContractWrite = z.output<typeof createContractInput>;

export const contractSchema = z
  .object({
    id: identifier,
    name: z.string(),
    description: z.string().nullable(),
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
    samples: z.enum(sampleModes),
    recipients: z.array(recipientSchema),
    rules: z.array(ruleSchema),
    latestScore: scoreOut.nullable(),
    previousScore: scoreOut.nullable(),
    trend: z.enum(trends).nullable(),
    lastEvaluatedAt: momentOut.nullable(),
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

// --- evaluations

export const ruleResultSchema = z
  .object({
    ruleId: identifier,
    ruleName: z.string(),
    ruleType: z.enum(ruleTypes),
    severity: z.enum(severities),
    weight: z.number(),
    passed: z.boolean(),
    score: scoreOut,
    expectedValue: z.string().nullable(),
    actualValue: z.string().nullable(),
    message: z.string().nullable(),
    executionTimeMs: z.int(),
  })
  .meta({ id: "RuleResult" });
export type RuleResult = z.output<typeof ruleResultSchema>;

export const evaluationSchema = z
  .object({
    id: identifier,
    contractId: identifier,
    trigger: z.enum(evaluationTriggers),
    status: z.enum(evaluationStatuses),
    /** How many rules have been measured, equal when the evaluation is Completed, and which are being measured. */
    progress: z.object({
      done: z.int(),
      total: z.int(),
      running: z.array(z.string()).meta({ description: "Names of the rules that are being measured; a few" }),
    }),
    /** null while the evaluation is Running. */
    overallScore: scoreOut.nullable(),
    passedCount: z.int(),
    failedCount: z.int(),
    executionTimeMs: z.int().nullable(),
    evaluatedAt: momentOut.nullable(),
    ruleResults: z.array(ruleResultSchema),
  })
  .meta({ id: "Evaluation" });
export type Evaluation = z.output<typeof evaluationSchema>;

export const listEvaluationsInput = z.strictObject({
  id: identifier,
  take: z.int().min(1).max(500).default(20),
});

// --- samples

const cell = z.union([z.string(), z.number(), z.boolean(), z.null()]);

const sampleFields = {
  columns: z.array(z.object({ name: z.string(), type: z.string() })).meta({
    description: "The primary key first, where it is known, then the rule's column, then the others",
  }),
  rows: z.array(z.array(cell)),
  maskedColumns: z.array(z.string()).meta({ description: "Names of the columns in which values are masked" }),
};
export type Sample = z.output<z.ZodObject<typeof sampleFields>>;

export const samplesSchema = z
  .object({
    ...sampleFields,
    totalFailing: z.number().nullable().meta({
      description:
        "How many rows failed when it was measured; for Uniqueness, how many values come more than once",
    }),
  })
  .meta({ id: "Samples" });
export type Samples = z.output<typeof samplesSchema>;

export const samplesInput = z.strictObject({ id: identifier, ruleId: identifier });

// --- overview

const tableScoreSchema = z
  .object({
    schemaName: z.string(),
    tableName: z.string(),
    currentScore: scoreOut,
    previousScore: scoreOut.nullable(),
    trend: z.enum(trends),
    evaluatedAt: momentOut,
  })
  .meta({ id: "TableScore" });

const sourceQualitySchema = z
  .object({
    dataSourceId: identifier,
    dataSourceName: z.string(),
    averageScore: scoreOut.nullable(),
    tableCount: z.int(),
    healthyTables: z.int(),
    degradingTables: z.int(),
    activeContractCount: z.int(),
    tables: z.array(tableScoreSchema),
  })
  .meta({ id: "SourceQuality" });

export const overviewInput = listContractsInput;

export const overviewSchema = listOf(sourceQualitySchema);
export type Overview = z.output<typeof overviewSchema>;
