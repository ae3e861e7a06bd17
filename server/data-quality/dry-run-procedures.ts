import type { z } from "zod";
import { procedureFor, recordRun } from "../trpc.ts";
import { dryRunDetail } from "./dry-run-detail.ts";
import {
  type ContractDryRun,
  contractDryRunSchema,
  type DryRunResult,
  dryRunContractInput,
  dryRunResultSchema,
  dryRunRuleInput,
  readColumnsInput,
  tableColumnsSchema,
} from "./dry-run-schema.ts";
import { ruleBacktestSchema } from "./history-schema.ts";
import { backtestRule } from "./service/backtest-rule.ts";
import { dryRunContract, dryRunRule } from "./service/dry-run.ts";
import { readColumns } from "./service/read-columns.ts";

const tag = "Data quality";
const problems = ["not_found", "rejected", "source_unreachable", "source_timeout"] as const;

/** Trying rules before saving them, and what a rule about columns would approve. */
export const dryRunProcedures = {
  columns: procedureFor("evaluations:run")
    .meta({
      rest: {
        method: "GET",
        path: "/data-quality/columns",
        tag,
        summary: "A table's columns at this moment",
        description:
          "As a Schema rule sees them, ready for its `configuration.columns`: read from the data source, in the table's order. Columns that its login cannot read are left out.",
        problems: [...problems],
      },
    })
    .input(readColumnsInput)
    .output(tableColumnsSchema)
    .query(({ ctx, input }) => readColumns(ctx, input)),

  dryRunRule: procedureFor("evaluations:run")
    .meta({
      audit: "dataSource",
      auditId: "dataSourceId",
      auditAs: "run",
      auditRun: ({ rule }: z.output<typeof dryRunRuleInput>) => dryRunDetail([rule]),
      auditOutcome: ({ passed }: DryRunResult) => (passed ? "Passed" : "Failed"),
      rest: {
        method: "POST",
        path: "/data-quality/rules/dry-run",
        tag,
        summary: "Test a rule without saving it",
        description:
          "Measures one rule on a table as an evaluation would, and returns some of the failing rows, masked unless `samples` is `Full`. Nothing is stored. If the SQL is rejected here or by the data source, the rule fails with a message that says why.",
        problems: [...problems],
      },
    })
    .input(dryRunRuleInput)
    .use(recordRun())
    .output(dryRunResultSchema)
    .mutation(({ ctx, input }) => dryRunRule(ctx, input)),

  backtestRule: procedureFor("everything:read")
    .meta({
      rest: {
        method: "POST",
        path: "/data-quality/rules/backtest",
        tag,
        summary: "How often a rule that learns what is usual would have failed",
        description:
          "Judges each measurement that there is under the rule's `key` by those before it, as the rule is sent. Reads no data source and stores nothing.",
        problems: ["not_found", "rejected"],
      },
    })
    .input(dryRunRuleInput)
    .output(ruleBacktestSchema)
    .query(({ ctx, input }) => backtestRule(ctx, input)),

  dryRunContract: procedureFor("evaluations:run")
    .meta({
      audit: "dataSource",
      auditId: "dataSourceId",
      auditAs: "run",
      auditRun: ({ rules }: z.output<typeof dryRunContractInput>) => dryRunDetail(rules),
      auditOutcome: ({ overallScore }: ContractDryRun) => `Scored ${overallScore}`,
      rest: {
        method: "POST",
        path: "/data-quality/contracts/dry-run",
        tag,
        summary: "Test a whole contract without saving it",
        description:
          "Takes the same body as creating a contract; name and schedule are optional. Returns its score and every enabled rule's result. Nothing is stored, and nobody is notified.",
        problems: [...problems],
      },
    })
    .input(dryRunContractInput)
    .use(recordRun())
    .output(contractDryRunSchema)
    .mutation(({ ctx, input }) => dryRunContract(ctx, input)),
};
