import type { SignedIn } from "../../auth/principal.ts";
import { inOneTransaction } from "../../db/client.ts";
import type { TeachInTurn, TeachQuestion } from "../schema.ts";
import { nextQuestion } from "./ask-about-cells.ts";
import { answerQuestion } from "./taught-cells.ts";

/**
 * Keeps what someone says of a cell, if anything, and asks about the next one. Throws like `answerQuestion` and
 * `nextQuestion`; an answer is kept although the table cannot be read again.
 */
export async function teachInTurn(ctx: SignedIn, { answer, ...table }: TeachInTurn): Promise<TeachQuestion> {
  if (answer)
    await inOneTransaction(async () => {
      await answerQuestion(ctx, { ...table, ...answer });
      await ctx.recordObject?.(table.dataSourceId, `${table.schemaName}.${table.tableName}`);
    });
  return nextQuestion(ctx, table);
}
