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
} from "./schema.ts";
import { dryRunContract, dryRunRule } from "./service/dry-run.ts";

const tag = "Data quality";
const problems = ["not_found", "rejected", "source_unreachable", "source_timeout"] as const;

/** Trying rules before saving them. */
export const dryRunProcedures = {
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
