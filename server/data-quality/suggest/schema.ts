import { z } from "zod";
import { databaseName, identifier } from "../../db/schema-parts.ts";
import { ruleSchema } from "../schema.ts";

export const suggestInput = z.strictObject({
  dataSourceId: identifier,
  schemaName: databaseName.optional().meta({ description: "Defaults to the data source's default schema" }),
  tableName: databaseName,
});

/** A rule as stored in a contract. */
export const suggestedRuleSchema = ruleSchema.omit({ id: true, key: true }).meta({ id: "SuggestedRule" });
export type SuggestedRule = z.output<typeof suggestedRuleSchema>;

/** Rules that currently hold, each with its evidence. */
export type HoldingRules = {
  items: { rule: SuggestedRule; evidence: string }[];
  /** What was not read or checked, and why. */
  note: string | null;
};
