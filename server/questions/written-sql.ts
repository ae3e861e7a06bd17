import { z } from "zod";
import { structuredOutput } from "../actors/models/structured-output.ts";

/**
 * A model's response to a question. Nothing in it is trusted: the data source must be one it was given, the SQL passes
 * the same gates as a person's, and text is displayed as plain text.
 */
const writtenSqlSchema = z.strictObject({
  explanation: z
    .string()
    .describe("How you understood the question, or why it cannot be answered; one or two sentences"),
  dataSourceId: z.int().nullable().describe("The data source that the SQL is for; null without SQL"),
  sql: z.string().nullable().describe("One read-only statement; null if the question cannot be answered"),
});
export type WrittenSql = z.output<typeof writtenSqlSchema>;

export const writtenSqlOutput = structuredOutput("query", writtenSqlSchema);
