import { z } from "zod";
import { runCost } from "../../data-sources/cost-schema.ts";
import { sampleFields } from "../../data-sources/sample.ts";
import { identifier, momentOut } from "../../db/schema-parts.ts";
import { revisionSchema } from "../../edits/schema.ts";
import { ruleTypes, typesWith } from "../rules/rules.ts";
import { scoreOut } from "../score-schema.ts";
import { severities } from "../severities.ts";

export const evaluationTriggers = ["Manual", "Scheduled"] as const;
export const evaluationStatuses = ["Running", "Completed"] as const;

export const couldNotEvaluate = z.boolean().meta({
  description: "Whether no rule could be measured because the data source could not be reached",
});

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

const bound = z.number().nullable().meta({ description: "null on a side that does not matter" });
/** What was usual at a measurement. */
export const usualRange = z.object({ low: bound, high: bound });

export const listEvaluationsInput = z.strictObject({
  id: identifier,
  take: z.int().min(1).max(500).default(20),
});
