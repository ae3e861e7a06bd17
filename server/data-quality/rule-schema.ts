import { z } from "zod";
import { databaseName, identifier, name } from "../db/schema-parts.ts";
import { optionProperties, optionsSchema, splitConfiguration } from "./rules/rule-options.ts";
import { ruleDefinition, ruleDefinitions, ruleTypes } from "./rules/rules.ts";
import { severities } from "./severities.ts";

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
