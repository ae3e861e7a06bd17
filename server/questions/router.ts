import { modelInUse } from "../actors/models/model-in-use.ts";
import { only } from "../db/schema-parts.ts";
import { resultText } from "../queries/result-text.ts";
import { previewedText, rowsFound } from "../queries/service/previews.ts";
import { procedureFor, recordRun, router } from "../trpc.ts";
import { type Answer, answerSchema, askInput } from "./schema.ts";
import { ask, idOfAskedSource } from "./service.ts";

/** Questions about data in natural language. */
export const questionsRouter = router({
  ask: procedureFor("queries:run")
    .meta({
      audit: "dataSource",
      auditId: "dataSourceId",
      auditAs: "run",
      auditOutcome: (answer: Answer) =>
        `${rowsFound(answer)} of ${answer.dataSourceName}; ${previewedText({ sql: answer.sql })}`,
      tool: {
        name: "ask",
        title: "Ask a question",
        description:
          "A language model writes SQL that answers it, which is checked like query's and run; at most " +
          "100 rows. Check its sql. If you can write SQL, query is cheaper.",
        annotations: { readOnlyHint: true },
        isOffered: () => !modelInUse().isBuiltIn,
        answer: answerSchema.pick(
          only(
            "sql",
            "explanation",
            "columns",
            "rows",
            "rowCount",
            "truncated",
            "dataSourceId",
            "dataSourceName",
            "model",
            "tokensUsed",
            "estimatedCost",
          ),
        ),
        text: (answer: Answer) => `${answer.explanation}\nSQL: ${answer.sql}\n${resultText(answer)}`,
      },
    })
    .input(askInput)
    .use(recordRun(idOfAskedSource))
    .output(answerSchema)
    .mutation(({ ctx, input }) => ask(ctx, input)),
});
