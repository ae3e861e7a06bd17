import { byId, listOf } from "../db/schema-parts.ts";
import { procedureFor, router } from "../trpc.ts";
import { apiKeySchema, createApiKeyInput, createdApiKeySchema } from "./schema.ts";
import { createKey, listKeys, revokeKey } from "./service.ts";

const tag = "API keys";

export const apiKeysRouter = router({
  list: procedureFor("own-keys:manage")
    .meta({
      rest: {
        method: "GET",
        path: "/api-keys",
        tag,
        summary: "List API keys",
        description:
          "Your own; an Admin sees everybody's. Newest first, revoked and expired ones included. Never the keys themselves.",
      },
    })
    .output(listOf(apiKeySchema))
    .query(({ ctx }) => listKeys(ctx)),

  create: procedureFor("own-keys:manage")
    .meta({
      audit: "apiKey",
      rest: {
        method: "POST",
        path: "/api-keys",
        tag,
        summary: "Create an API key",
        description:
          "Answers the key itself as `rawKey`, this once. Its scopes are at most what your role allows: Viewer Read, Editor Execute, Admin all.",
        status: 201,
        location: "/api-keys",
        problems: ["not_found"],
      },
    })
    .input(createApiKeyInput)
    .output(createdApiKeySchema)
    .mutation(({ ctx, input }) => createKey(ctx, input)),

  revoke: procedureFor("own-keys:manage")
    .meta({
      audit: "apiKey",
      rest: {
        method: "POST",
        path: "/api-keys/{id}/revoke",
        tag,
        summary: "Revoke an API key",
        description: "Takes effect on the next request. The key stays in the list. Again is the same 200.",
      },
    })
    .input(byId)
    .output(apiKeySchema)
    .mutation(({ ctx, input }) => revokeKey(ctx, input.id)),
});
