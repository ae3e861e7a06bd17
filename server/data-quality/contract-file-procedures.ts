import { z } from "zod";
import { procedureFor } from "../trpc.ts";
import {
  contractFileInput,
  exportContractInput,
  type ImportedContracts,
  importedContractsSchema,
  importPreviewSchema,
  maxFileMegabytes,
} from "./odcs/schema.ts";
import { exportContract, importContracts, previewImport } from "./service/contract-files.ts";

const tag = "Data quality";
const yaml = { type: "application/yaml", property: "yaml", maxMegabytes: maxFileMegabytes } as const;

/** Contracts as code: files of the Open Data Contract Standard. */
export const contractFileProcedures = {
  exportContract: procedureFor("everything:read")
    .meta({
      rest: {
        method: "GET",
        path: "/data-quality/contracts/{id}/odcs",
        tag,
        summary: "Export a contract as an Open Data Contract Standard file",
        answers: "application/yaml",
        problems: ["rejected"],
      },
    })
    .input(exportContractInput)
    .output(z.string())
    .query(({ ctx, input }) => exportContract(ctx, input)),

  importContracts: procedureFor("contracts:configure")
    .meta({
      audit: "contract",
      auditDetail: ({ contracts }: ImportedContracts) => contracts.map(({ name }) => name).join(", "),
      rest: {
        method: "POST",
        path: "/data-quality/contracts/import",
        tag,
        summary: "Create contracts from an Open Data Contract Standard file",
        description:
          "Each table with rules becomes a contract of the data source. All are created, or none. `unmapped` lists unsupported parts with their location in the file.",
        status: 201,
        location: "/data-quality/contracts",
        takes: yaml,
        problems: ["not_found", "rejected"],
      },
    })
    .input(contractFileInput)
    .output(importedContractsSchema)
    .mutation(({ ctx, input }) => importContracts(ctx, input)),

  previewImport: procedureFor("evaluations:run")
    .meta({
      rest: {
        method: "POST",
        path: "/data-quality/contracts/import/preview",
        tag,
        summary: "Preview what importing a file would create",
        takes: yaml,
        problems: ["not_found", "rejected"],
      },
    })
    .input(contractFileInput)
    .output(importPreviewSchema)
    .query(({ ctx, input }) => previewImport(ctx, input)),
};
