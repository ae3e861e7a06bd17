import { z } from "zod";
import { identifier, momentIn, momentOut } from "../db/schema-parts.ts";
import { couldNotEvaluate, usualRange } from "./evaluations/schema.ts";
import { units } from "./rules/rule.ts";
import { measuredByType, ruleTypes } from "./rules/rules.ts";
import { scoreOut } from "./score-schema.ts";

const measured = z
  .number()
  .nullable()
  .meta({
    description: `What was measured: ${measuredByType()}`,
  });
const ofEvaluation = { evaluationId: identifier, evaluatedAt: momentOut };

export const ruleBacktestSchema = z
  .object({
    evaluations: z.int().meta({ description: "Measurements in the last 400 days" }),
    judged: z.int().meta({ description: "Of these, those with enough before them to be judged" }),
    since: momentOut.nullable(),
    wouldHaveFailed: z.int(),
    didFail: z.int(),
    failures: z
      .array(
        z.object({
          ...ofEvaluation,
          measured: z.number(),
          ...usualRange.shape,
          expected: z.string().meta({ description: "What was usual, in words" }),
          didFail: z.boolean().meta({ description: "Whether the rule failed as it was then" }),
        }),
      )
      .meta({ description: "The latest 50 of those that would have failed, newest first" }),
  })
  .meta({ id: "RuleBacktest" });
export type RuleBacktest = z.output<typeof ruleBacktestSchema>;

const pointInTime = momentIn.refine(
  (moment) => moment.getUTCFullYear() >= 1 && moment.getUTCFullYear() <= 9999,
  "must be between the years 1 and 9999",
);

export const seriesInput = z.strictObject({
  id: identifier,
  take: z.int().min(1).max(500).default(100).meta({ description: "Maximum number of points in a series" }),
  from: pointInTime.optional().meta({ description: "Start, inclusive. If omitted, the latest evaluations" }),
  to: pointInTime.optional().meta({ description: "End, exclusive" }),
});

export const seriesSchema = z
  .object({
    evaluations: z.int().meta({ description: "Number of evaluations in the series" }),
    isDownsampled: z.boolean().meta({
      description:
        "Whether a point covers several evaluations. It shows the worst measured one, so that no dip is lost",
    }),
    points: z
      .array(z.object({ ...ofEvaluation, overallScore: scoreOut, couldNotEvaluate }))
      .meta({ description: "Oldest first" }),
    rules: z.array(
      z.object({
        key: z.uuid(),
        name: z.string(),
        type: z.enum(ruleTypes),
        unit: z.enum(units).nullable(),
        isCurrent: z.boolean().meta({ description: "Whether the contract still has a rule with this key" }),
        points: z.array(
          z.object({
            ...ofEvaluation,
            score: scoreOut,
            passed: z.boolean(),
            measured,
            usual: usualRange.nullable().meta({
              description:
                "What was usual at the time, for a rule that learns it; null for others, and with too little history",
            }),
          }),
        ),
      }),
    ),
  })
  .meta({ id: "ContractSeries" });
export type ContractSeries = z.output<typeof seriesSchema>;

export const ruleStateSchema = z
  .object({
    ruleId: identifier,
    key: z.uuid(),
    name: z.string(),
    type: z.enum(ruleTypes),
    passed: z.boolean(),
    score: scoreOut,
    measured,
    ...ofEvaluation,
    since: z.object(ofEvaluation).meta({
      description: "The first evaluation of the current streak: for a failing rule, its first failure",
    }),
    consecutive: z.int().meta({ description: "Length of the streak in evaluations, counted up to 10,000" }),
    lastChange: z
      .object(ofEvaluation)
      .nullable()
      .meta({ description: "When it last went from passing to failing or back; null if never" }),
  })
  .meta({ id: "RuleState" });
export type RuleState = z.output<typeof ruleStateSchema>;

export const ruleChanges = [
  "NewlyFailing",
  "Recovered",
  "Worse",
  "Better",
  "Added",
  "Removed",
  "Unchanged",
] as const;

const scored = z.object({ score: scoreOut, passed: z.boolean(), measured });
const comparedEvaluation = z.object({
  id: identifier,
  evaluatedAt: momentOut,
  overallScore: scoreOut,
  passedCount: z.int(),
  failedCount: z.int(),
  couldNotEvaluate,
});

export const changesInput = z.strictObject({
  id: identifier,
  comparedWith: identifier.optional().meta({
    description: "Another evaluation of the same contract. Defaults to the previous measured one",
  }),
});

export const changesSchema = z
  .object({
    evaluation: comparedEvaluation,
    comparedWith: comparedEvaluation
      .nullable()
      .meta({ description: "null for a contract's first evaluation" }),
    scoreDelta: z
      .number()
      .nullable()
      .meta({ description: "Also null if one of them could not be evaluated" }),
    rules: z
      .array(
        z.object({
          key: z.uuid(),
          name: z.string(),
          type: z.enum(ruleTypes),
          change: z.enum(ruleChanges),
          before: scored.nullable(),
          after: scored.nullable(),
          scoreDelta: z.number().nullable(),
        }),
      )
      .meta({ description: "Most important first. Omits rules whose scores were not kept at the time" }),
  })
  .meta({ id: "EvaluationChanges" });
export type EvaluationChanges = z.output<typeof changesSchema>;
