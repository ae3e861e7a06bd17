import { z } from "zod";
import { databaseName, identifier } from "../../db/schema-parts.ts";
import { ruleSchema } from "../schema.ts";

export const suggestInput = z.strictObject({
  dataSourceId: identifier,
  schemaName: databaseName.optional().meta({ description: "The data source's default schema unless given" }),
  tableName: databaseName,
});

export const suggestionsSchema = z
  .object({
    items: z.array(
      z
        .object({
          rule: ruleSchema.omit({ id: true, key: true }).meta({ id: "SuggestedRule" }),
          evidence: z.string().meta({ description: "What speaks for the rule, in words and figures" }),
          passes: z.boolean(),
        })
        .meta({ id: "Suggestion" }),
    ),
    note: z.string().nullable().meta({ description: "What was not read or not judged, and why" }),
  })
  .meta({ id: "Suggestions" });
export type Suggestions = z.output<typeof suggestionsSchema>;
