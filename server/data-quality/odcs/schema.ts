import { z } from "zod";
import { byId, identifier } from "../../db/schema-parts.ts";
import { ruleSchema } from "../rule-schema.ts";
import { contractSchema } from "../schema.ts";
import { type WrittenVersion, writtenVersions } from "./document.ts";

/** The maximum size of a file of contracts, in megabytes. */
export const maxFileMegabytes = 4;

/** The versions of the standard that a contract can be written in. */
export const exportContractInput = byId.extend({
  version: z
    .enum(Object.keys(writtenVersions) as [WrittenVersion, ...WrittenVersion[]])
    .default("3.1")
    .meta({ description: "The version of the standard; 3.2 also lists a column's allowed values (`enum`)" }),
});

export const contractFileInput = z.strictObject({
  dataSourceId: identifier.meta({ description: "The database that the contracts watch" }),
  yaml: z
    .string({ error: "is required" })
    .max(maxFileMegabytes * 1024 * 1024)
    .meta({ description: "An Open Data Contract Standard data contract, version 3.2, 3.1, or 3.0" }),
});

const unmapped = z
  .array(z.object({ path: z.string(), reason: z.string() }).meta({ id: "Unmapped" }))
  .meta({ description: "Parts of the file that are not supported, by their location in the file" });

export const importedContractsSchema = z
  .object({ contracts: z.array(contractSchema), unmapped })
  .meta({ id: "ImportedContracts" });
export type ImportedContracts = z.output<typeof importedContractsSchema>;

/** A contract as sent to create it; omitted values take their defaults. */
const contractDraft = z.object({
  ...contractSchema.pick({ name: true, dataSourceId: true, tableName: true, cronExpression: true }).shape,
  ...contractSchema
    .pick({
      description: true,
      context: true,
      schemaName: true,
      timezone: true,
      failureThreshold: true,
      enabled: true,
      alertOnFailure: true,
      reminderHours: true,
      createTasks: true,
      samples: true,
    })
    .partial().shape,
  recipientIds: z.array(identifier).optional(),
  rules: z.array(
    z.object({
      ...ruleSchema.pick({ name: true, type: true }).shape,
      ...ruleSchema.pick({ key: true, column: true, severity: true, weight: true, enabled: true }).partial()
        .shape,
      configuration: z.unknown().optional(),
    }),
  ),
});

export const importPreviewSchema = z
  .object({ contracts: z.array(contractDraft), unmapped })
  .meta({ id: "ImportPreview" });
