import { z } from "zod";
import { identifier, record, text } from "../db/schema-parts.ts";

const parameterValue = z.union([text(10_000), z.number(), z.boolean(), z.null()]);
export type ParameterValue = z.output<typeof parameterValue>;

export const previewQueryInput = z.strictObject({
  dataSourceId: identifier,
  sql: text(100_000).refine((sql) => sql.trim() !== "", "is required"),
  parameters: record(z.string().max(100), parameterValue).default({}).meta({
    description: "A value for each `{{name}}` of the SQL: bound, and never part of its text",
  }),
});

const cell = z.union([z.string(), z.number(), z.boolean(), z.null()]);

export const previewSchema = z
  .object({
    columns: z.array(
      z.object({ name: z.string(), type: z.string().meta({ description: "The engine's own name for it" }) }),
    ),
    rows: z.array(z.array(cell)).meta({
      description:
        "In the order of the columns. Integers beyond 32 bits, decimals, dates and times are exact text.",
    }),
    rowCount: z.int().meta({ description: "How many rows are in this answer" }),
    truncated: z.boolean().meta({ description: "Whether there were more rows than are in this answer" }),
    executionTimeMs: z.int(),
  })
  .meta({ id: "Preview" });
export type Preview = z.output<typeof previewSchema>;
