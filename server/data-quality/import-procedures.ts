import { plural } from "../text.ts";
import { procedureFor } from "../trpc.ts";
import {
  dbtImportInput,
  type ImportedPlan,
  importedPlanSchema,
  importPlanSchema,
  maxImportMegabytes,
} from "./imports/schema.ts";
import { importDbt, previewDbt } from "./service/import-suite.ts";

const tag = "Data quality";

/** Tests that another tool has already, as rules of contracts. */
export const importProcedures = {
  importDbt: procedureFor("contracts:configure")
    .meta({
      audit: "dataSource",
      auditAs: "preparedChange",
      auditId: "dataSourceId",
      auditDetail: ({ project, totals: { contracts, rules } }: ImportedPlan) =>
        `${project}: ${plural(contracts.new, "new contract")}, ${contracts.updated} updated, ${contracts.archived} archived; ${plural(rules.new, "new rule")}, ${rules.updated} updated, ${rules.removed} removed`,
      rest: {
        method: "POST",
        path: "/data-quality/imports/dbt",
        tag,
        summary: "Import the tests of a dbt project as contracts",
        description:
          "Models, seeds, snapshots, and sources that the data source has become contracts, and their tests rules. Imported again, it updates what it created, never creates it twice, and leaves alone what was changed here. `notCarried` lists tests without a counterpart. `npx plumbline import dbt` reduces larger files before it sends them.",
        bodyMegabytes: maxImportMegabytes,
        problems: ["not_found", "rejected", "source_unreachable", "source_timeout"],
      },
    })
    .input(dbtImportInput)
    .output(importedPlanSchema)
    .mutation(({ ctx, input }) => importDbt(ctx, input)),

  previewDbt: procedureFor("evaluations:run")
    .meta({
      rest: {
        method: "POST",
        path: "/data-quality/imports/dbt/preview",
        tag,
        summary: "Preview what importing a dbt project would change",
        bodyMegabytes: maxImportMegabytes,
        problems: ["not_found", "rejected", "source_unreachable", "source_timeout"],
      },
    })
    .input(dbtImportInput)
    .output(importPlanSchema)
    .query(({ ctx, input }) => previewDbt(ctx, input)),
};
