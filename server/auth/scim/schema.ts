import { z } from "zod";
import { text } from "../../db/schema-parts.ts";

export const userUrn = "urn:ietf:params:scim:schemas:core:2.0:User";
export const groupUrn = "urn:ietf:params:scim:schemas:core:2.0:Group";
export const listUrn = "urn:ietf:params:scim:api:messages:2.0:ListResponse";
export const patchUrn = "urn:ietf:params:scim:api:messages:2.0:PatchOp";

const short = text(200);

/** Entra ID sends booleans as text. */
const flag = z.union([
  z.boolean(),
  z
    .string()
    .regex(/^(true|false)$/i)
    .transform((word) => word.toLowerCase() === "true"),
]);

const reference = z.object({ value: z.string().max(20) });

/** What is read of a user (RFC 7643, 4.1); providers send much else, which is ignored. */
export const scimUserInput = z.object({
  userName: short.min(1),
  externalId: short.nullish(),
  displayName: short.nullish(),
  name: z
    .object({ formatted: short.nullish(), givenName: short.nullish(), familyName: short.nullish() })
    .nullish(),
  emails: z.array(z.object({ value: short, primary: flag.nullish(), type: short.nullish() })).nullish(),
  active: flag.nullish(),
});
export type ScimUserInput = z.output<typeof scimUserInput>;

export const scimGroupInput = z.object({
  displayName: short.min(1),
  externalId: short.nullish(),
  members: z.array(reference).max(10_000).nullish(),
});
export type ScimGroupInput = z.output<typeof scimGroupInput>;

/** A PATCH (RFC 7644, 3.5.2). Entra ID writes the operations with a capital. */
export const patchInput = z.object({
  schemas: z.array(z.string()).refine((list) => list.includes(patchUrn), `must contain ${patchUrn}`),
  Operations: z
    .array(
      z.object({
        op: z
          .string()
          .transform((op) => op.toLowerCase())
          .pipe(z.enum(["add", "replace", "remove"])),
        path: z.string().max(500).optional(),
        value: z.unknown().optional(),
      }),
    )
    .min(1)
    .max(1000),
});
export type PatchOperation = z.output<typeof patchInput>["Operations"][number];
