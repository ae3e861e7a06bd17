import { z } from "zod";
import { identifier, text } from "../db/schema-parts.ts";
import { sourceFields } from "../queries/named-source.ts";
import { queryByNameSchema } from "../queries/query-by-name.ts";

export const askInput = z.strictObject({
  question: text(4000).refine((value) => value.trim() !== "", "is required"),
  ...sourceFields,
  projectId: identifier.optional(),
});
export type AskInput = z.output<typeof askInput>;

/** The rows that answer a question, and their origin. */
export const answerSchema = z
  .object({
    sql: z.string(),
    explanation: z.string().meta({ description: "How the model understood the question" }),
    ...queryByNameSchema.shape,
    model: z.string(),
    tokensUsed: z.int(),
    estimatedCost: z.number().nullable().meta({ description: "In US dollars; null if the price is unknown" }),
  })
  .meta({ id: "Answer" });
export type Answer = z.output<typeof answerSchema>;
