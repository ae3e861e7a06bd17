import { z } from "zod";
import { accessWrite, hasOneAccess, updateUserInput, userSchema } from "../auth/schema.ts";
import { name } from "../db/schema-parts.ts";

export const serviceAccountSchema = userSchema
  .pick({
    id: true,
    name: true,
    role: true,
    projectRoles: true,
    enabled: true,
    revision: true,
    createdAt: true,
  })
  .meta({ id: "ServiceAccount" });

export const createServiceAccountInput = z
  .strictObject({ name, enabled: z.boolean().default(true), ...accessWrite })
  .superRefine(hasOneAccess);

/** Replaces the service account; an omitted `enabled` means true. */
export const updateServiceAccountInput = updateUserInput;
