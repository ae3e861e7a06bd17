import { z } from "zod";
import { userReference } from "../auth/schema.ts";
import { identifier, momentOut } from "../db/schema-parts.ts";

export const settingsChangeStatuses = ["Pending", "Approved", "Rejected", "Superseded"] as const;

const fields = {
  approvalWorkflow: z.boolean().meta({ description: "Changes to a query's SQL need approval" }),
  fourEyes: z.boolean().meta({ description: "Nobody can approve their own change" }),
};

export const updateSettingsInput = z.strictObject(fields);
export type SettingsWrite = z.output<typeof updateSettingsInput>;

export const settingsSchema = z
  .object({
    ...fields,
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
