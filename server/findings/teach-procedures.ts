import { procedureFor } from "../trpc.ts";
import {
  type TaughtTable,
  taughtTableInput,
  teachAnswerInput,
  teachQuestionSchema,
  teachStateSchema,
  teachUndoInput,
} from "./schema.ts";
import { nextQuestion } from "./service/ask-about-cells.ts";
import { answerQuestion, undoAnswer } from "./service/taught-cells.ts";

const tag = "Findings";

const tableOf = (_: unknown, { schemaName, tableName }: TaughtTable) => `${schemaName}.${tableName}`;

export const teachProcedures = {
  teach: procedureFor("contracts:configure")
    .meta({
      rest: {
        method: "GET",
        path: "/data-quality/findings/teach",
        tag,
        summary: "The next question about a table",
        description:
          "One cell in its row, with personal data and secrets masked: whether it is right or wrong tells the most about other cells of the table. After the last answer, scan the table to have its findings judged again.",
        problems: ["not_found", "rejected", "source_unreachable", "source_timeout"],
      },
    })
    .input(taughtTableInput)
    .output(teachQuestionSchema)
    .query(({ ctx, input }) => nextQuestion(ctx, input)),

  teachAnswer: procedureFor("contracts:configure")
    .meta({
      audit: "dataSource",
      auditId: "dataSourceId",
      auditDetail: tableOf,
      rest: {
        method: "POST",
        path: "/data-quality/findings/teach/answers",
        tag,
        summary: "Say whether a cell is right or wrong",
        description: "The next scan of the table judges its findings by it.",
        problems: ["not_found", "rejected", "conflict"],
      },
    })
    .input(teachAnswerInput)
    .output(teachStateSchema)
    .mutation(({ ctx, input }) => answerQuestion(ctx, input)),

  teachUndo: procedureFor("contracts:configure")
    .meta({
      audit: "dataSource",
      auditId: "dataSourceId",
      auditDetail: tableOf,
      rest: {
        method: "POST",
        path: "/data-quality/findings/teach/undo",
        tag,
        summary: "Take back the latest answer about a table, or all of them",
        problems: ["not_found", "rejected"],
      },
    })
    .input(teachUndoInput)
    .output(teachStateSchema)
    .mutation(({ ctx, input }) => undoAnswer(ctx, input)),
};
