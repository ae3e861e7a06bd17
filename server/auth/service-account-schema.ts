import { z } from "zod";
import { name } from "../db/schema-parts.ts";
import { accessWrite, hasOneAccess, updateUserInput, userSchema } from "./schema.ts";

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

export const createServiceAccountInput = z.strictObject({ name, ...accessWrite }).superRefine(hasOneAccess);

/** Replaces the service account; an omitted `enabled` means true. */
export const updateServiceAccountInput = updateUserInput;
