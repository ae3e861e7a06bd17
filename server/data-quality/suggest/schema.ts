import { z } from "zod";
import { databaseName, identifier } from "../../db/schema-parts.ts";
import { ruleSchema } from "../schema.ts";

export const suggestInput = z.strictObject({
  dataSourceId: identifier,
  schemaName: databaseName.optional().meta({ description: "Defaults to the data source's default schema" }),
  tableName: databaseName,
});

/** A rule as a contract would hold it. */
export const suggestedRuleSchema = ruleSchema.omit({ id: true, key: true }).meta({ id: "SuggestedRule" });
export type SuggestedRule = z.output<typeof suggestedRuleSchema>;

/** Rules that hold today, each with what speaks for it. */
export type HoldingRules = {
  items: { rule: SuggestedRule; evidence: string }[];
  /** What was not read or checked, and why. */
  note: string | null;
};
