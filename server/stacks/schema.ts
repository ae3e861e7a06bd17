import { z } from "zod";
import { identifier, listOf, momentOut, text } from "../db/schema-parts.ts";
import { editSchema, revisionSchema } from "../edits/schema.ts";
import { managedKinds } from "./managed-kinds.ts";

/** A stack is a folder of files in a repository that is applied as a whole. The browser loads this file too. */

/** Such as `acme/data-checks`. */
export const stackName = z
  .string()
  .regex(
    /^[A-Za-z0-9][A-Za-z0-9._/-]{0,99}$/,
    "must be up to 100 letters, digits, and ._/-, and begin with a letter or a digit",
  );

/** The file, from the stack's folder. */
export const stackPath = text(300).min(1, "is required");

/** The stack that a call acts for, and the file that its change comes from. */
export const actingStack = z.strictObject({ stack: stackName, path: stackPath });
export type ActingStack = z.output<typeof actingStack>;

export const managedThingSchema = z
  .object({
    kind: z.enum(managedKinds),
    id: identifier,
    projectId: identifier
      .nullable()
      .meta({ description: "null for a service account, which belongs to none" }),
    stack: z.string(),
    path: z.string().meta({ description: "The file that describes it, from the stack's folder" }),
    revision: revisionSchema.meta({ description: "Its revision after the last apply" }),
    appliedAt: momentOut,
    appliedBy: z.string().meta({ description: "The name of the key, or of the JWT's user" }),
    takenOver: z
      .object({ at: momentOut, by: z.string() })
      .nullable()
      .meta({ description: "Set once an Admin has taken it over: it can be edited by hand again" }),
    changedSince: z
      .array(editSchema)
      .meta({ description: "Edits since the last apply, oldest first. None of rule templates are kept" }),
  })
  .meta({ id: "ManagedThing" });
export type ManagedThing = z.output<typeof managedThingSchema>;
export const managedThingsSchema = listOf(managedThingSchema);

export const listManagedInput = z.strictObject({
  stack: stackName.optional(),
  kind: z.enum(managedKinds).optional(),
  id: identifier.optional(),
});

export const takeOverInput = z.strictObject({ kind: z.enum(managedKinds), id: identifier });
