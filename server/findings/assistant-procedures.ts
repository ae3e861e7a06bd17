import { procedureFor } from "../trpc.ts";
import { questionInWords, scanInWords } from "./in-words.ts";
import {
  type FindingScan,
  scanSchema,
  startScanInput,
  type TeachQuestion,
  teachInTurnInput,
  teachQuestionSchema,
} from "./schema.ts";
import { scanAndWait } from "./service/scans.ts";
import { teachInTurn } from "./service/teach-in-turn.ts";
import { toldQuestion, toldScan } from "./tool-answers.ts";

/**
 * How assistants scan: they hear of nothing later, so they are answered when the scan has ended, or nearly so. And how
 * they teach: an answer is answered with the next question.
 */
export const assistantProcedures = {
  scanAndWait: procedureFor("evaluations:run")
    .meta({
      audit: "dataSource",
      auditId: "dataSourceId",
      auditAs: "preparedChange",
      tool: {
        name: "scan_data_source",
        title: "Scan for faults",
        description:
          "Reads tables and looks for what is wrong in them; list_findings has the result. Answers after " +
          "45 s at most: while status is Running, call again.",
        annotations: { readOnlyHint: false },
        answer: toldScan,
        text: (scan: FindingScan) => scanInWords(scan),
        longWork: {
          start: "findings.scan",
          follow: "findings.scanById",
          endedAt: ({ finishedAt }: FindingScan) => finishedAt,
        },
      },
    })
    .input(startScanInput)
    .output(scanSchema)
    .mutation(({ ctx, input }) => scanAndWait(ctx, input)),

  teachInTurn: procedureFor("contracts:configure")
    .meta({
      audit: "dataSource",
      // A question alone changes nothing, and has no entry.
      auditAs: "changes",
      tool: {
        name: "teach",
        title: "Teach",
        description:
          "Asks whether a cell of a table is right: the answer counts for all like it. Answered again, it is replaced. " +
          "Then scan_data_source judges anew.",
        annotations: { readOnlyHint: false },
        answer: toldQuestion,
        text: (asked: TeachQuestion) => questionInWords(asked),
      },
    })
    .input(teachInTurnInput)
    .output(teachQuestionSchema)
    .mutation(({ ctx, input }) => teachInTurn(ctx, input)),
};
