import { byId, listOf, pageOf } from "../db/schema-parts.ts";
import { procedureFor, router } from "../trpc.ts";
import { assistantProcedures } from "./assistant-procedures.ts";
import { findingsInWords } from "./in-words.ts";
import {
  acceptInput,
  dismissInput,
  type Finding,
  findingSamplesSchema,
  findingSchema,
  listFindingsInput,
  ofSourcesInput,
  scanSchema,
  startScanInput,
  tableFindingsSchema,
} from "./schema.ts";
import { acceptFinding, dismissFinding } from "./service/decide-findings.ts";
import { getFinding, getFindingSamples, listFindings, listTables } from "./service/list-findings.ts";
import { getScan, listScans, startScan, stopScan } from "./service/scans.ts";
import { suggestionProcedures } from "./suggestion-procedures.ts";
import { teachProcedures } from "./teach-procedures.ts";
import { toldFinding } from "./tool-answers.ts";

const tag = "Findings";

type FindingPage = { items: Finding[]; page: number; pageSize: number; totalCount: number };

const tableOf = ({ schemaName, tableName }: Finding) => `${schemaName}.${tableName}`;

export const findingsRouter = router({
  ...assistantProcedures,
  ...teachProcedures,

  scan: procedureFor("evaluations:run")
    .meta({
      audit: "dataSource",
      auditId: "dataSourceId",
      rest: {
        method: "POST",
        path: "/data-quality/findings/scans",
        tag,
        summary: "Scan a data source for faults in its data",
        description:
          "Reads the tables in the background, up to 100,000 rows of each. Joins a scan of the data source that is in progress.",
        running: "/data-quality/findings/scans",
        problems: ["not_found", "rejected"],
      },
    })
    .input(startScanInput)
    .output(scanSchema)
    .mutation(({ ctx, input }) => startScan(ctx, input)),

  scans: procedureFor("everything:read")
    .meta({
      rest: {
        method: "GET",
        path: "/data-quality/findings/scans",
        tag,
        summary: "The latest scan of each data source",
      },
    })
    .input(ofSourcesInput)
    .output(listOf(scanSchema))
    .query(({ ctx, input }) => listScans(ctx, input)),

  tables: procedureFor("everything:read")
    .meta({
      rest: {
        method: "GET",
        path: "/data-quality/findings/tables",
        tag,
        summary: "Tables with findings, and how many are open",
      },
    })
    .input(ofSourcesInput)
    .output(listOf(tableFindingsSchema))
    .query(({ ctx, input }) => listTables(ctx, input)),

  scanById: procedureFor("everything:read")
    .meta({
      rest: {
        method: "GET",
        path: "/data-quality/findings/scans/{id}",
        tag,
        summary: "One scan, and its progress while it runs",
      },
    })
    .input(byId)
    .output(scanSchema)
    .query(({ ctx, input }) => getScan(ctx, input.id)),

  stopScan: procedureFor("evaluations:run")
    .meta({
      audit: "dataSource",
      auditId: "dataSourceId",
      rest: {
        method: "POST",
        path: "/data-quality/findings/scans/{id}/stop",
        tag,
        summary: "Stop a scan",
        description:
          "Cancels the statement that runs in the data source. What the scan has stored stays; findings of tables that it had not finished are unchanged.",
        problems: ["conflict"],
      },
    })
    .input(byId)
    .output(scanSchema)
    .mutation(({ ctx, input }) => stopScan(ctx, input.id)),

  list: procedureFor("everything:read")
    .meta({
      rest: {
        method: "GET",
        path: "/data-quality/findings",
        tag,
        summary: "What looks wrong in the data, worst first",
        description: "Worst first by confidence × severity × share of the rows.",
      },
      tool: {
        name: "list_findings",
        title: "Findings",
        description:
          "Faults that scans found in tables without any rule, worst first: a sentence, and rowsSql, which selects the rows. " +
          "Open: nobody has decided.",
        annotations: { readOnlyHint: true },
        answer: pageOf(toldFinding),
        text: (page: FindingPage) => findingsInWords(page),
      },
    })
    .input(listFindingsInput)
    .output(pageOf(findingSchema))
    .query(({ ctx, input }) => listFindings(ctx, input)),

  get: procedureFor("everything:read")
    .meta({
      rest: { method: "GET", path: "/data-quality/findings/{id}", tag, summary: "One finding" },
    })
    .input(byId)
    .output(findingSchema)
    .query(({ ctx, input }) => getFinding(ctx, input.id)),

  samples: procedureFor("everything:read")
    .meta({
      rest: {
        method: "GET",
        path: "/data-quality/findings/{id}/samples",
        tag,
        summary: "Sample of the rows in doubt",
        description: "Up to 20 rows, with personal data and secrets masked. 404 if there are none.",
        problems: ["not_found"],
      },
    })
    .input(byId)
    .output(findingSamplesSchema)
    .query(({ ctx, input }) => getFindingSamples(ctx, input.id)),

  accept: procedureFor("contracts:configure")
    .meta({
      audit: "finding",
      auditDetail: tableOf,
      rest: {
        method: "POST",
        path: "/data-quality/findings/{id}/accept",
        tag,
        summary: "Make a finding a rule",
        description: "Adds the finding's rule to a contract. Accepting again changes nothing.",
        problems: ["rejected"],
      },
    })
    .input(acceptInput)
    .output(findingSchema)
    .mutation(({ ctx, input }) => acceptFinding(ctx, input)),

  dismiss: procedureFor("contracts:configure")
    .meta({
      audit: "finding",
      auditDetail: tableOf,
      rest: {
        method: "POST",
        path: "/data-quality/findings/{id}/dismiss",
        tag,
        summary: "Dismiss a finding",
        description: "Later scans do not open it again while it is the same fault.",
        problems: ["conflict"],
      },
    })
    .input(dismissInput)
    .output(findingSchema)
    .mutation(({ ctx, input }) => dismissFinding(ctx, input)),
});

/** A part of the data quality router, for which it stands too high to be there. */
export const suggestionsRouter = router(suggestionProcedures);
