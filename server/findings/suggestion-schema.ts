import { z } from "zod";
import { suggestedRuleSchema, suggestedValuesSchema } from "../data-quality/suggest/schema.ts";
import { findingKinds } from "./kinds.ts";

export const suggestionsSchema = z
  .object({
    items: z
      .array(
        z
          .object({
            rule: suggestedRuleSchema,
            evidence: z.string().meta({ description: "The evidence for the rule" }),
            values: suggestedValuesSchema.nullable().meta({
              description:
                "For a list of allowed values, each value with its number of rows, most frequent first: leave out what is a mistake",
            }),
            passes: z.boolean().meta({ description: "Whether the rule passes today" }),
            finding: z
              .object({
                id: z
                  .int()
                  .nullable()
                  .meta({ description: "The finding it is listed as; null if no scan has found it" }),
                kind: z.enum(findingKinds),
                columns: z.array(z.string()).meta({ description: "The columns whose values are in doubt" }),
                confidence: z.number().min(0).max(1),
                failingRows: z.number().meta({ description: "0 if it is rows that are missing" }),
                totalRows: z.number(),
                rowsSql: z
                  .string()
                  .nullable()
                  .meta({ description: "SQL that returns all rows in doubt, whole" }),
              })
              .nullable()
              .meta({
                id: "SuggestedFinding",
                description: "What looks wrong today; null for a rule that passes",
              }),
          })
          .meta({ id: "Suggestion" }),
      )
      .meta({ description: "Rules that fail today because something looks wrong, then rules that pass" }),
    note: z.string().nullable().meta({ description: "What was not read or checked, and why" }),
  })
  .meta({ id: "Suggestions" });
export type Suggestions = z.output<typeof suggestionsSchema>;
