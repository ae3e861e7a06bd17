import { z } from "zod";
import { description, identifier, momentOut, name } from "../db/schema-parts.ts";
import { baseRevision, revisionSchema } from "../edits/schema.ts";

export const projectSchema = z
  .object({
    id: identifier,
    name: z.string(),
    description: z.string().nullable(),
    revision: revisionSchema.meta({ description: "Incremented by every edit" }),
    createdAt: momentOut,
  })
  .meta({ id: "Project" });
export type Project = z.output<typeof projectSchema>;

export const projectInput = z.strictObject({ name, description: description.nullish() });
export const updateProjectInput = projectInput.extend({ id: identifier, baseRevision });
