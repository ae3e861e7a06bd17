import { z } from "zod";
import { databaseName, identifier } from "../../db/schema-parts.ts";
import { ruleSchema } from "../rule-schema.ts";

export const suggestInput = z.strictObject({
  dataSourceId: identifier,
  schemaName: databaseName.optional().meta({ description: "Defaults to the data source's default schema" }),
  tableName: databaseName,
});

/** A rule as stored in a contract. */
export const suggestedRuleSchema = ruleSchema.omit({ id: true, key: true }).meta({ id: "SuggestedRule" });
export type SuggestedRule = z.output<typeof suggestedRuleSchema>;

export const suggestedValuesSchema = z
  .array(
    z.object({
      value: z.string(),
      rows: z.int().meta({ description: "Rows of the whole table with it" }),
      isRare: z.boolean().meta({ description: "So few rows have it that it may be a mistake" }),
    }),
  )
  .meta({ id: "SuggestedValues" });

/** Rules that currently hold, each with its evidence. */
export type HoldingRules = {
  items: { rule: SuggestedRule; evidence: string; values?: z.output<typeof suggestedValuesSchema> }[];
  /** What was not read or checked, and why. */
  note: string | null;
};
