import { z } from "zod";
import { scope, userReference } from "../auth/schema.ts";
import { identifier, momentOut, name } from "../db/schema-parts.ts";

/** What a list shows of a key: never the key itself. */
export const apiKeySchema = z
  .object({
    id: identifier,
    name: z.string(),
    prefix: z.string().meta({ description: "The first 16 characters, to recognise the key by" }),
    scopes: z.array(scope),
    allowedProjectIds: z
      .array(identifier)
      .nullable()
      .meta({ description: "null: not limited to projects. An empty list: no project at all" }),
    parentKeyId: identifier
      .nullable()
      .meta({ description: "The key that made this one, which is revoked with it. null: a person made it" }),
    createdAt: momentOut,
    lastUsedAt: momentOut.nullable(),
    expiresAt: momentOut.nullable(),
    status: z.enum(["Active", "Revoked"]),
    isExpired: z.boolean(),
    user: userReference,
  })
  .meta({ id: "ApiKey" });
export type ApiKey = z.output<typeof apiKeySchema>;

export const createApiKeyInput = z.strictObject({
  name,
  scopes: z.array(scope).min(1, "must name at least one scope").max(10),
  expiresAt: z.iso
    .datetime({ offset: true, message: "must be a date and time with a zone, such as 2030-01-31T12:00:00Z" })
    .max(64)
    .nullish()
    .meta({
      description:
        "In the future. Left out, the key never expires. A key that an expiring key makes expires no later than its maker",
    }),
  allowedProjectIds: z
    .array(identifier)
    .min(1, "must name at least one project, or be left out")
    .max(1000)
    .nullish()
    .meta({ description: "Limits the key to these projects" }),
});
export type ApiKeyWrite = z.output<typeof createApiKeyInput>;

/** What creating a key answers: the key itself, this once. */
export const createdApiKeySchema = apiKeySchema
  .extend({ rawKey: z.string().meta({ description: "Shown this once: only its hash is stored" }) })
  .meta({ id: "CreatedApiKey" });

/** What revoking a key answers. */
export const revokedApiKeySchema = apiKeySchema
  .extend({
    revokedWithIt: z.array(z.object({ id: identifier, name: z.string(), prefix: z.string() })).meta({
      description: "The keys that it made, and that those made, which were revoked at the same time",
    }),
  })
  .meta({ id: "RevokedApiKey" });
export type RevokedApiKey = z.output<typeof revokedApiKeySchema>;
