import { z } from "zod";
import { userReference } from "../auth/schema.ts";
import { identifier, momentOut } from "../db/schema-parts.ts";
import { baseRevision, revisionSchema } from "../edits/schema.ts";

export const settingsChangeStatuses = ["Pending", "Approved", "Rejected", "Superseded"] as const;

const fields = {
  approvalWorkflow: z.boolean().meta({ description: "Changes to a query's SQL need approval" }),
  fourEyes: z.boolean().meta({ description: "Nobody can approve their own change" }),
};

export const updateSettingsInput = z.strictObject({ ...fields, baseRevision });
export type SettingsWrite = Omit<z.output<typeof updateSettingsInput>, "baseRevision">;

export const settingsSchema = z
  .object({
    ...fields,
    revision: revisionSchema.meta({ description: "Incremented by every edit that takes effect" }),
    pendingChange: z
      .object({ id: identifier, ...fields, requester: userReference, createdAt: momentOut })
      .meta({ id: "SettingsChange" })
      .optional()
      .meta({ description: "Present while a change needs another Admin's approval" }),
  })
  .meta({ id: "Settings" });
export type Settings = z.output<typeof settingsSchema>;

export const settingsOriginSchema = z.object({
  setAt: momentOut.nullable().meta({ description: "null if the environment variables apply" }),
});
