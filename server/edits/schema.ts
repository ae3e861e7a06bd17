import { z } from "zod";
import { principalKinds } from "../audit/principal-kinds.ts";
import { byId, identifier, listOf, momentOut } from "../db/schema-parts.ts";

/** What has a `revision`, which every edit raises. */
export const editedKinds = [
  "Contract",
  "Subscription",
  "Actor",
  "Recipient",
  "DataSource",
  "Project",
  "Query",
  "Folder",
  "IncidentPolicy",
  "MaintenanceWindow",
  "TableTags",
  "ServiceAccount",
] as const;
export type EditedKind = (typeof editedKinds)[number];

export const revisionSchema = z.int().min(1).max(2_147_483_647);

/** What a PUT may send to be refused when someone else has edited the thing since. */
export const baseRevision = revisionSchema.optional().meta({
  description: "The `revision` that the edit is based on. If it is no longer current, returns 409.",
});

export const fieldChanges = ["Changed", "Added", "Removed"] as const;

const fieldChangeSchema = z.object({
  path: z
    .string()
    .meta({ description: "The name of the property; for a contract's rule, `rules.` and the rule's key" }),
  change: z.enum(fieldChanges),
  name: z.string().nullable().meta({ description: "The rule's name" }),
});
export type FieldChange = z.output<typeof fieldChangeSchema>;

export const editSchema = z
  .object({
    revision: revisionSchema.meta({ description: "The revision that the edit created" }),
    at: momentOut,
    by: z.object({
      kind: z.enum(principalKinds),
      id: identifier.nullable().meta({ description: "The user's id, or the key's" }),
      name: z.string(),
    }),
    changes: z.array(fieldChangeSchema),
  })
  .meta({ id: "Edit" });
export type Edit = z.output<typeof editSchema>;

export const listEditsInput = byId.extend({
  since: revisionSchema.optional().meta({ description: "Only edits after this revision" }),
});
export const editListSchema = listOf(editSchema);
