import { z } from "zod";
import { identifier, momentOut, only } from "../db/schema-parts.ts";
import { baseRevision, editSchema, revisionSchema } from "../edits/schema.ts";
import { ruleSchema } from "./rule-schema.ts";
import { contractSchema } from "./schema.ts";

/** What a version keeps: everything that a person writes in the contract. */
export const contractContentSchema = contractSchema
  .pick(
    only(
      ...([
        "name",
        "description",
        "context",
        "dataSourceId",
        "schemaName",
        "tableName",
        "cronExpression",
        "timezone",
      ] as const),
      ...([
        "failureThreshold",
        "enabled",
        "alertOnFailure",
        "reminderHours",
        "createTasks",
        "samples",
      ] as const),
    ),
  )
  .extend({ recipientIds: z.array(identifier), rules: z.array(ruleSchema.omit({ id: true })) })
  .meta({ id: "ContractContent" });
export type ContractContent = z.output<typeof contractContentSchema>;

export const contractVersionSchema = z
  .object({
    number: revisionSchema.meta({
      description: "Counts from 1; a save that changes nothing adds no version",
    }),
    revision: revisionSchema.meta({ description: "The contract's revision that began it" }),
    createdAt: momentOut,
    createdBy: editSchema.shape.by
      .nullable()
      .meta({ description: "null if it is older than the record of versions" }),
    changes: editSchema.shape.changes.meta({ description: "Compared with the version before" }),
    summary: z.string().meta({ description: "The changes in words" }),
    restoredFrom: revisionSchema.nullable().meta({ description: "The version that it restored" }),
  })
  .meta({ id: "ContractVersion" });
export type ContractVersion = z.output<typeof contractVersionSchema>;

export const contractVersionWithContent = contractVersionSchema
  .extend({ content: contractContentSchema })
  .meta({ id: "ContractVersionContent" });
export type ContractVersionWithContent = z.output<typeof contractVersionWithContent>;

export const listContractVersionsInput = z.strictObject({
  id: identifier,
  take: z.int().min(1).max(500).default(100),
});
export const contractVersionInput = z.strictObject({ id: identifier, number: revisionSchema });
export const restoreContractVersionInput = contractVersionInput.extend({ baseRevision });
