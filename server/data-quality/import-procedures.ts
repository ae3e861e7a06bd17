import { plural } from "../text.ts";
import { procedureFor, type RestMeta } from "../trpc.ts";
import {
  dbtImportInput,
  gxImportInput,
  type ImportedPlan,
  importedPlanSchema,
  importPlanSchema,
  maxImportMegabytes,
  sodaImportInput,
} from "./imports/schema.ts";
import {
  importDbt,
  importGx,
  importSoda,
  previewDbt,
  previewGx,
  previewSoda,
} from "./service/import-suite.ts";

const tag = "Data quality";

const importing = {
  audit: "dataSource",
  auditAs: "preparedChange",
  auditId: "dataSourceId",
  auditDetail: ({ project, totals: { contracts, rules } }: ImportedPlan) =>
    `${project}: ${plural(contracts.new, "new contract")}, ${contracts.updated} updated, ${contracts.archived} archived; ${plural(rules.new, "new rule")}, ${rules.updated} updated, ${rules.removed} removed`,
} as const;

const route: Pick<RestMeta, "method" | "tag" | "bodyMegabytes" | "problems"> = {
  method: "POST",
  tag,
  bodyMegabytes: maxImportMegabytes,
  problems: ["not_found", "rejected", "source_unreachable", "source_timeout"],
};

const dbtRoute = {
  ...route,
  ifLarger: "`npx plumbline import dbt` reads a target folder of any size and sends only what is needed",
};
const filesRoute = { ...route, ifLarger: "send fewer files at once" };

const again =
  "Imported again, it updates what it created, never creates it twice, and leaves alone what was changed here.";

/** Tests that another tool has already, as rules of contracts. */
export const importProcedures = {
  importDbt: procedureFor("contracts:configure")
    .meta({
      ...importing,
      rest: {
        ...dbtRoute,
        path: "/data-quality/imports/dbt",
        summary: "Import the tests of a dbt project as contracts",
        description: `Models, seeds, snapshots, and sources that the data source has become contracts, and their tests rules. ${again} \`notCarried\` lists tests without a counterpart. \`npx plumbline import dbt\` reduces larger files before it sends them.`,
      },
    })
    .input(dbtImportInput)
    .output(importedPlanSchema)
    .mutation(({ ctx, input }) => importDbt(ctx, input)),

  previewDbt: procedureFor("evaluations:run")
    .meta({
      rest: {
        ...dbtRoute,
        path: "/data-quality/imports/dbt/preview",
        summary: "Preview what importing a dbt project would change",
      },
    })
    .input(dbtImportInput)
    .output(importPlanSchema)
    .query(({ ctx, input }) => previewDbt(ctx, input)),

  importSoda: procedureFor("contracts:configure")
    .meta({
      ...importing,
      rest: {
        ...filesRoute,
        path: "/data-quality/imports/soda",
        summary: "Import Soda checks as contracts",
        description: `Each dataset that the data source has becomes a contract, and its checks rules: those of SodaCL files (\`checks for …\`), and of Soda data contracts. A table in the files follows them; tables that they do not name are left alone. ${again} \`notCarried\` lists checks without a counterpart.`,
      },
    })
    .input(sodaImportInput)
    .output(importedPlanSchema)
    .mutation(({ ctx, input }) => importSoda(ctx, input)),

  previewSoda: procedureFor("evaluations:run")
    .meta({
      rest: {
        ...filesRoute,
        path: "/data-quality/imports/soda/preview",
        summary: "Preview what importing Soda checks would change",
      },
    })
    .input(sodaImportInput)
    .output(importPlanSchema)
    .query(({ ctx, input }) => previewSoda(ctx, input)),

  importGx: procedureFor("contracts:configure")
    .meta({
      ...importing,
      rest: {
        ...filesRoute,
        path: "/data-quality/imports/gx",
        summary: "Import suites of Great Expectations as contracts",
        description: `Each suite becomes a contract, and its expectations rules. ${again} \`notCarried\` lists expectations without a counterpart.`,
      },
    })
    .input(gxImportInput)
    .output(importedPlanSchema)
    .mutation(({ ctx, input }) => importGx(ctx, input)),

  previewGx: procedureFor("evaluations:run")
    .meta({
      rest: {
        ...filesRoute,
        path: "/data-quality/imports/gx/preview",
        summary: "Preview what importing suites of Great Expectations would change",
      },
    })
    .input(gxImportInput)
    .output(importPlanSchema)
    .query(({ ctx, input }) => previewGx(ctx, input)),
};
