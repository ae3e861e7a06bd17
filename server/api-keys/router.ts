import { byId, listOf } from "../db/schema-parts.ts";
import { env } from "../env.ts";
import { procedureFor, router } from "../trpc.ts";
import {
  apiKeySchema,
  createApiKeyInput,
  createdApiKeySchema,
  keyPolicySchema,
  type RevokedApiKey,
  type RotatedApiKey,
  revokedApiKeySchema,
  rotateApiKeyInput,
  rotatedApiKeySchema,
} from "./schema.ts";
import { createKey } from "./service/create-key.ts";
import { listKeys } from "./service/load-keys.ts";
import { revokeKey } from "./service/revoke-key.ts";
import { rotateKey } from "./service/rotate-key.ts";

const tag = "API keys";

/** The entry names every revoked key. */
const revokedDetail = ({ name, revokedWithIt: others }: RevokedApiKey) =>
  others.length === 0
    ? name
    : `${name}, and ${others.length === 1 ? "the key" : `the ${others.length} keys`} made with it: ${others
        .map((key) => `${key.name} (${key.id})`)
        .join(", ")}`;

/** The entry is about the old key, and names the new one. */
const rotatedDetail = ({ name, id }: RotatedApiKey) => `${name}, replaced by API key ${id}`;

export const apiKeysRouter = router({
  list: procedureFor("own-keys:manage")
    .meta({
      rest: {
        method: "GET",
        path: "/api-keys",
        tag,
        summary: "List API keys",
        description:
          "Your own keys; Admins see all. Newest first, including revoked and expired ones. The keys themselves are never returned.",
      },
    })
    .output(listOf(apiKeySchema))
    .query(({ ctx }) => listKeys(ctx)),

  policy: procedureFor("own-keys:manage")
    .output(keyPolicySchema)
    .query(() => ({ maxDays: env().KEYS_MAX_DAYS })),

  create: procedureFor("own-keys:manage")
    .meta({
      audit: "apiKey",
      rest: {
        method: "POST",
        path: "/api-keys",
        tag,
        summary: "Create an API key",
        description:
          "Returns the key itself as `rawKey`, only this once. Your role limits its scopes: Viewer Read, " +
          "Editor Execute, Admin all. A key created with another key has at most the scopes and projects of its " +
          "parent, expires no later than the parent (see `expiresAt` in the response), and is revoked with it. An Admin who " +
          "is signed in creates keys for a service account with `serviceAccountId`; its role then limits the scopes.",
        status: 201,
        location: "/api-keys",
        problems: ["not_found", "conflict"],
      },
    })
    .input(createApiKeyInput)
    .output(createdApiKeySchema)
    .mutation(({ ctx, input }) => createKey(ctx, input)),

  rotate: procedureFor("own-keys:manage")
    .meta({
      audit: "apiKey",
      auditDetail: rotatedDetail,
      rest: {
        method: "POST",
        path: "/api-keys/{id}/rotate",
        tag,
        summary: "Replace an API key by a new one",
        description:
          "Returns a key with the same name, scopes, projects, and addresses, as `rawKey`, only this once. The old key, " +
          "and those that it created, still work for `overlapHours`. Only its owner, signed in, or a key above it can do this; " +
          "for a service account, an Admin who is signed in.",
        status: 201,
        location: "/api-keys",
        problems: ["not_found", "conflict"],
      },
    })
    .input(rotateApiKeyInput)
    .output(rotatedApiKeySchema)
    .mutation(({ ctx, input }) => rotateKey(ctx, input)),

  revoke: procedureFor("own-keys:manage")
    .meta({
      audit: "apiKey",
      auditDetail: revokedDetail,
      rest: {
        method: "POST",
        path: "/api-keys/{id}/revoke",
        tag,
        summary: "Revoke an API key and every key created with it",
        description:
          "Takes effect on the next request. Keys stay in the list. Repeating the call returns the same 200.",
      },
    })
    .input(byId)
    .output(revokedApiKeySchema)
    .mutation(({ ctx, input }) => revokeKey(ctx, input.id)),
});
