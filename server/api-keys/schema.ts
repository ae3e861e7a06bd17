import { z } from "zod";
import { scope, userKind, userReference } from "../auth/schema.ts";
import { byId, identifier, momentOut, name } from "../db/schema-parts.ts";

/** A key as listed: never the raw key. */
export const apiKeySchema = z
  .object({
    id: identifier,
    name: z.string(),
    prefix: z.string().meta({ description: "The first 16 characters, to recognize the key by" }),
    scopes: z.array(scope),
    allowedProjectIds: z
      .array(identifier)
      .nullable()
      .meta({ description: "null: all projects. An empty list: none" }),
    parentKeyId: identifier.nullable().meta({
      description: "The key that created this one; revoking it revokes this one. null: created by a person",
    }),
    replacedById: identifier.nullable().meta({
      description: "The key that replaces this one, which works until `expiresAt`. null: not rotated",
    }),
    allowedNetworks: z
      .array(z.string())
      .nullable()
      .meta({ description: "Addresses and CIDRs from which it works; null: from anywhere" }),
    createdAt: momentOut,
    lastUsedAt: momentOut.nullable(),
    lastUsedAddress: z.string().nullable().meta({ description: "Where its last use came from" }),
    expiresAt: momentOut.nullable(),
    status: z.enum(["Active", "Revoked"]),
    isExpired: z.boolean(),
    user: userReference.meta({ description: "Its owner, in whose name it acts" }),
    ownerKind: userKind,
  })
  .meta({ id: "ApiKey" });
export type ApiKey = z.output<typeof apiKeySchema>;

const network = z.union([z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()], {
  error: "must be an IP address or a CIDR, such as 203.0.113.7 or 10.0.0.0/8",
});

/** What an operator asks of keys. */
export const keyPolicySchema = z.object({
  maxDays: z
    .int()
    .nullable()
    .meta({ description: "The longest lifetime; null: no limit, and keys may never expire" }),
});

const expiry = z.iso
  .datetime({ offset: true, message: "must be a date and time with a zone, such as 2030-01-31T12:00:00Z" })
  .max(64)
  .nullish();

export const createApiKeyInput = z.strictObject({
  name,
  scopes: z.array(scope).min(1, "must name at least one scope").max(10),
  expiresAt: expiry.meta({
    description:
      "In the future. If omitted, the key never expires, unless the operator sets a longest lifetime. A key created by an expiring key expires no later than its parent",
  }),
  allowedProjectIds: z
    .array(identifier)
    .min(1, "must name at least one project, or be omitted")
    .max(1000)
    .nullish()
    .meta({ description: "Limits the key to these projects" }),
  serviceAccountId: identifier.nullish().meta({
    description:
      "The service account that owns the key. If omitted, you do. Only an Admin of all projects can set it, and no API key",
  }),
  allowedNetworks: z
    .array(network)
    .min(1, "must name at least one, or be omitted")
    .max(50)
    .nullish()
    .meta({ description: "Addresses and CIDRs from which the key works, such as 203.0.113.7 or 10.0.0.0/8" }),
});
export type ApiKeyWrite = z.output<typeof createApiKeyInput>;

/** The response to creating a key: the only one with the raw key. */
export const createdApiKeySchema = apiKeySchema
  .extend({ rawKey: z.string().meta({ description: "Shown only once: only its hash is stored" }) })
  .meta({ id: "CreatedApiKey" });

/** How long the old key goes on, in hours. */
const overlap = { usual: 24, max: 30 * 24 };

export const rotateApiKeyInput = byId.extend({
  overlapHours: z
    .int()
    .min(0)
    .max(overlap.max)
    .default(overlap.usual)
    .meta({ description: "For how many hours the old key still works; 0: it ends at once" }),
  expiresAt: expiry.meta({
    description:
      "When the new key expires. If omitted, it lives as long from now as the old one did from its creation",
  }),
});
export type ApiKeyRotation = z.output<typeof rotateApiKeyInput>;

/** The response to rotating a key: the new one, with its raw key. */
export const rotatedApiKeySchema = createdApiKeySchema
  .extend({
    replaces: z
      .object({ id: identifier, name: z.string(), prefix: z.string(), expiresAt: momentOut })
      .meta({ description: "The old key, and until when it works" }),
  })
  .meta({ id: "RotatedApiKey" });
export type RotatedApiKey = z.output<typeof rotatedApiKeySchema>;

/** The response to revoking a key. */
export const revokedApiKeySchema = apiKeySchema
  .extend({
    revokedWithIt: z.array(z.object({ id: identifier, name: z.string(), prefix: z.string() })).meta({
      description: "The keys it created, directly or indirectly, which were revoked with it",
    }),
  })
  .meta({ id: "RevokedApiKey" });
export type RevokedApiKey = z.output<typeof revokedApiKeySchema>;
