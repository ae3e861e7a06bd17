import { z } from "zod";
import { databaseName, identifier, listOf, momentOut, name } from "../db/schema-parts.ts";
import { cronExpression } from "../jobs/cron-schema.ts";
import { ruleResultSchema, usualRange } from "./evaluations/schema.ts";
import { readRule, ruleFields } from "./rule-schema.ts";
import { tableColumn } from "./rules/table-columns.ts";
import { samplesSchema } from "./sample-schema.ts";
import { contractFields, readRules, samples } from "./schema.ts";
import { scoreOut } from "./score-schema.ts";

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
