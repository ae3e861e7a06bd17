import { procedureFor } from "../trpc.ts";
import { scanInWords } from "./in-words.ts";
import { type FindingScan, scanSchema, startScanInput } from "./schema.ts";
import { scanAndWait } from "./service/scans.ts";
import { toldScan } from "./tool-answers.ts";

/** How assistants scan: they hear of nothing later, so they are answered when the scan has ended, or nearly so. */
export const assistantProcedures = {
  scanAndWait: procedureFor("evaluations:run")
    .meta({
      audit: "dataSource",
      auditId: "dataSourceId",
      auditAs: "preparedChange",
      tool: {
        name: "scan_data_source",
        title: "Scan for faults in the data",
        description:
          "Reads a data source's tables and looks for what is wrong in them; list_findings has the result. Answers after " +
          "45 s at the latest: while status is Running, call again.",
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
};
