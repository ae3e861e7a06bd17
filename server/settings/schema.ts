import { z } from "zod";
import { momentOut } from "../db/schema-parts.ts";

export const settingsSchema = z
  .object({
    approvalWorkflow: z.boolean().meta({ description: "Changes of queries' SQL wait for approval" }),
    fourEyes: z.boolean().meta({ description: "Nobody approves their own change" }),
  })
  .meta({ id: "Settings" });
export type Settings = z.output<typeof settingsSchema>;

export const updateSettingsInput = z.strictObject({
  approvalWorkflow: z.boolean(),
  fourEyes: z.boolean(),
});

export const settingsOriginSchema = z.object({
  setAt: momentOut.nullable().meta({ description: "null while the configuration decides" }),
});
