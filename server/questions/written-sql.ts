import { z } from "zod";
import { structuredOutput } from "../actors/models/structured-output.ts";

/**
 * What a model answers to a question. Nothing in here is trusted: the data source must be one of those that it was told
 * of, the SQL passes the gates that a person's does, and the words are shown as words.
 */
const writtenSqlSchema = z.strictObject({
  explanation: z
    .string()
    .describe("How you understood the question, or why it cannot be answered; one or two sentences"),
  dataSourceId: z.int().nullable().describe("Of the data source that the SQL is for; null without SQL"),
  sql: z.string().nullable().describe("One statement that only reads; null where it cannot be answered"),
});
export type WrittenSql = z.output<typeof writtenSqlSchema>;

export const writtenSqlOutput = structuredOutput("query", writtenSqlSchema);
