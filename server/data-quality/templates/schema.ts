import { z } from "zod";
import { userReference } from "../../auth/schema.ts";
import {
  byId,
  databaseName,
  identifier,
  listOf,
  momentOut,
  name,
  text,
  timezone,
} from "../../db/schema-parts.ts";
import { baseRevision, revisionSchema } from "../../edits/schema.ts";
import { cronExpression } from "../../jobs/cron-schema.ts";
import { type Issue, readRule, ruleFields } from "../rule-schema.ts";
import { ruleTypes } from "../rules/rules.ts";
import { severities } from "../severities.ts";
import type { Selector } from "./matches.ts";
import { isForOneTable, sqlIn, type TemplateRule, takesColumn } from "./rule-for.ts";

/** Rule templates: one rule for many tables. The browser loads this file too. */

/** How a contract parts with a template's rule: it goes without, or keeps it as its own. */
export const departures = ["LeftOut", "Detached"] as const;
export type Departure = (typeof departures)[number];

/** A template may create so many contracts when it is saved. */
export const maxNewContracts = 1000;

const patterns = z.array(text(200).trim().min(1, "is required")).max(50);
const patternWords =
  "`*` is any text, `?` one character, `\\` takes the next character literally, and a leading `!` leaves names out. Upper and lower case are the same";

const selectorIn = z.strictObject({
  dataSourceIds: z
    .array(identifier)
    .max(100)
    .default([])
    .meta({ description: "Databases of the project; empty for all of them" }),
  schemas: patterns.default([]).meta({ description: `Patterns of schemas, empty for all. ${patternWords}` }),
  tables: patterns.default([]).meta({ description: "Patterns of tables, likewise" }),
  tags: patterns.default([]).meta({
    description: "Patterns of the tables' tags: one of them matches, and none that is left out",
  }),
  columns: patterns.default([]).meta({
    description:
      "Patterns of columns, likewise; required for a type that checks a column, and otherwise empty unless its SQL has `{column}`",
  }),
});

const templateRuleIn = z
  .strictObject({
    name: ruleFields.shape.name.meta({
      description: "`{column}`, `{table}`, and `{schema}` stand for the names of each match",
    }),
    type: ruleFields.shape.type,
    severity: ruleFields.shape.severity,
    weight: ruleFields.shape.weight,
    configuration: ruleFields.shape.configuration.meta({
      description:
        "As in a contract, without `column`. In SQL, `{column}`, `{table}`, and `{schema}` stand for the names, quoted",
    }),
  })
  .transform((rule, context): TemplateRule => {
    const issue: Issue = (path, message) => context.addIssue({ code: "custom", path, message });
    if (isForOneTable(rule.type)) issue(["type"], "belongs to one table and cannot be a template");
    for (const own of ["column", "schema", "table"])
      if (rule.configuration[own] !== undefined) issue(["configuration", own], "is filled in for each match");
    const column = takesColumn(rule.type) ? "{column}" : undefined;
    const { configuration } = readRule({ ...rule, column, enabled: true }, { tableName: "{table}" }, issue);
    const { column: _, ...own } = configuration;
    return { ...rule, configuration: own };
  });

const newContractsIn = z.strictObject({ cronExpression, timezone: timezone.default("UTC") });
export type NewContracts = z.output<typeof newContractsIn>;

const fields = {
  selector: selectorIn,
  rule: templateRuleIn,
  newContracts: newContractsIn.nullable().default(null).meta({
    description:
      "The schedule of contracts that it creates for matching tables that never had one, now and later; null creates none",
  }),
};

/** A rule with a column needs columns, and one without has no use for them unless its SQL names them. */
function checkColumns(
  { selector, rule }: { selector: Selector; rule: TemplateRule },
  context: z.RefinementCtx,
): void {
  const issue = (message: string) =>
    context.addIssue({ code: "custom", path: ["selector", "columns"], message });
  const namesColumn = sqlIn(rule).some((sql) => sql.includes("{column}"));
  if (selector.columns.length === 0 && takesColumn(rule.type)) issue("needs at least one pattern");
  if (selector.columns.length === 0 && !takesColumn(rule.type) && namesColumn)
    issue("needs at least one pattern, because the SQL has {column}");
  if (selector.columns.length > 0 && !takesColumn(rule.type) && !namesColumn)
    issue("has no effect on this type of rule unless its SQL has {column}");
}

const written = { name, ...fields, enabled: z.boolean().default(true) };
export const createTemplateInput = z
  .strictObject({ projectId: identifier, ...written })
  .superRefine(checkColumns);
export const updateTemplateInput = z
  .strictObject({ id: identifier, baseRevision, ...written })
  .superRefine(checkColumns);
export const previewTemplateInput = z
  .strictObject({ projectId: identifier, ...fields })
  .superRefine(checkColumns);
export type TemplateInput = z.input<typeof createTemplateInput>;
export type TemplateWrite = Omit<z.output<typeof createTemplateInput>, "projectId">;

export const listTemplatesInput = z.strictObject({ projectId: identifier.optional() });

/** What becomes of a removed template's rules. */
export const removals = ["Remove", "Keep"] as const;
export const removeTemplateInput = byId.extend({
  rules: z.enum(removals).meta({
    description: "Remove its rules from the contracts, or keep them there as the contracts' own",
  }),
});

export const ruleTemplateSchema = z
  .object({
    id: identifier,
    projectId: identifier,
    name: z.string(),
    selector: z.object({
      dataSourceIds: z.array(identifier),
      schemas: z.array(z.string()),
      tables: z.array(z.string()),
      tags: z.array(z.string()).default([]),
      columns: z.array(z.string()),
    }),
    rule: z.object({
      name: z.string(),
      type: z.enum(ruleTypes),
      severity: z.enum(severities),
      weight: z.number(),
      configuration: z.record(z.string(), z.unknown()),
    }),
    newContracts: z.object({ cronExpression: z.string(), timezone: z.string() }).nullable(),
    enabled: z.boolean().meta({ description: "Whether its rules are enabled in the contracts" }),
    revision: revisionSchema.meta({ description: "Incremented by every edit" }),
    isApplied: z.boolean().meta({ description: "Whether every contract has this revision" }),
    contractCount: z.int().meta({ description: "How many contracts have rules of it" }),
    ruleCount: z.int(),
    departedCount: z
      .int()
      .meta({ description: "How many of its rules contracts leave out or have detached" }),
    createdBy: userReference.nullable(),
    updatedBy: userReference.nullable(),
    createdAt: momentOut,
    updatedAt: momentOut,
  })
  .meta({ id: "RuleTemplate" });
export type RuleTemplate = z.output<typeof ruleTemplateSchema>;
export const ruleTemplatesSchema = listOf(ruleTemplateSchema);

// --- previews

/** How many tables and columns a preview lists; it counts all. */
export const previewed = { tables: 50, columns: 20 };

const matchSchema = z.object({
  contractId: identifier.nullable().meta({ description: "null if the table has no contract" }),
  contractName: z.string().nullable(),
  dataSourceId: identifier,
  dataSourceName: z.string(),
  schemaName: z.string(),
  tableName: z.string(),
  ruleCount: z.int(),
  columns: z.array(z.string()).meta({ description: `Up to ${previewed.columns} of the columns that match` }),
});
const matchesSchema = z.object({
  total: z.int(),
  items: z.array(matchSchema).meta({ description: `Up to ${previewed.tables}` }),
});

export const templatePreviewSchema = z
  .object({
    ruleCount: z.int().meta({ description: "How many rules the contracts get" }),
    contracts: matchesSchema.meta({ description: "Contracts that get rules" }),
    withoutContract: matchesSchema.meta({ description: "Tables that match and have no contract" }),
    newContractCount: z.int().meta({ description: "How many of these tables get a contract" }),
    unread: z
      .array(z.object({ id: identifier, name: z.string() }))
      .meta({ description: "Databases whose tables have not been read yet" }),
  })
  .meta({ id: "RuleTemplatePreview" });
export type TemplatePreview = z.output<typeof templatePreviewSchema>;

// --- contracts

export const templateRuleSchema = z
  .object({
    templateId: identifier,
    templateName: z.string(),
    column: z.string().nullable(),
    ruleKey: z.uuid(),
    ruleName: z.string(),
    departure: z.enum(departures).nullable().meta({
      description:
        "null: the rule follows the template. LeftOut: the contract has no such rule. Detached: the rule is the contract's own",
    }),
    reason: z.string().nullable(),
    by: userReference.nullable().meta({ description: "Who left it out or detached it" }),
    at: momentOut.nullable(),
  })
  .meta({ id: "TemplateRule" });
export const templateRulesSchema = listOf(templateRuleSchema);
export type ContractTemplateRule = z.output<typeof templateRuleSchema>;

const ofContract = { id: identifier, templateId: identifier, column: databaseName.nullable().default(null) };
export const departInput = z.strictObject({
  ...ofContract,
  reason: text(1000).trim().min(1, "is required"),
});
export const returnInput = z.strictObject(ofContract);
