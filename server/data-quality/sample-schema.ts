import { z } from "zod";
import { sampleFields } from "../data-sources/sample.ts";
import { identifier } from "../db/schema-parts.ts";
import { typesWith } from "./rules/rules.ts";

const failingValuesSchema = z
  .object({
    column: z.string(),
    values: z
      .array(z.object({ value: z.union([z.string(), z.number(), z.boolean(), z.null()]), rows: z.int() }))
      .meta({ description: "At most 20, most frequent first" }),
    isMasked: z.boolean(),
    hasMore: z.boolean().meta({ description: "Whether there are more values" }),
  })
  .meta({ id: "FailingValues" });
export type FailingValues = z.output<typeof failingValuesSchema>;

export const samplesSchema = z
  .object({
    ...sampleFields,
    byValue: failingValuesSchema.nullable().meta({
      description:
        "How many failing rows have which value in the rule's column, counted in the whole table; null for rules that say nothing about the values of one column",
    }),
    columns: sampleFields.columns.meta({
      description: "The primary key first (if known), then the rule's column, then the others",
    }),
    totalFailing: z
      .number()
      .nullable()
      .meta({
        description: `Number of rows that failed when measured; for ${typesWith("values").join(" and ")}, the number of values; for ${typesWith("changes").join(" and ")}, of changes`,
      }),
  })
  .meta({ id: "Samples" });
export type Samples = z.output<typeof samplesSchema>;

export const samplesInput = z.strictObject({ id: identifier, ruleId: identifier });
