import { z } from "zod";
import { role, userKind, userReference, userSchema } from "../auth/schema.ts";
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

export const projectMemberSchema = z
  .object({
    user: userReference,
    kind: userKind,
    role,
    isMember: z.boolean().meta({
      description:
        "Whether the user is limited to projects, this one among them; false for access to all projects",
    }),
    managedBy: userSchema.shape.managedBy,
  })
  .meta({ id: "ProjectMember" });
export type ProjectMember = z.output<typeof projectMemberSchema>;

export const setMemberInput = z.strictObject({ id: identifier, userId: identifier, role });
export const removeMemberInput = z.strictObject({ id: identifier, userId: identifier });
