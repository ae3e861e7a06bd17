import { z } from "zod";
import type { ZodOpenApiPathsObject } from "zod-openapi";
import { problemResponses } from "./problems.ts";

/** What next-auth answers below /svc/api/auth, for the OpenAPI document; these are no procedures of ours. */
const tags = ["Session"];
const json = <Schema extends z.ZodType>(schema: Schema) => ({
  description: "OK",
  content: { "application/json": { schema } },
});

/** By which methods next-auth serves what; those that only browsers come to, on their way, are in no document. */
export const sessionMethods: Record<string, readonly string[]> = {
  "/auth/csrf": ["GET"],
  "/auth/session": ["GET"],
  "/auth/signin": ["GET"],
  "/auth/signin/oidc": ["GET", "POST"],
  "/auth/callback/credentials": ["POST"],
  "/auth/callback/oidc": ["GET", "POST"],
  "/auth/signout": ["GET", "POST"],
  "/auth/error": ["GET"],
};

const callbackUrl = z.string().optional();
const form = <Schema extends z.ZodType>(schema: Schema) => ({
  required: true,
  content: { "application/x-www-form-urlencoded": { schema } },
});

/** A form that is too long, and too many requests or attempts to sign in. */
const refusals = problemResponses(["too_large", "rate_limited"]);

export const sessionPaths: ZodOpenApiPathsObject = {
  "/auth/csrf": {
    get: {
      operationId: "session.csrf",
      tags,
      summary: "The token that signing in and out takes",
      security: [],
      responses: { "200": json(z.object({ csrfToken: z.string() })), ...problemResponses(["rate_limited"]) },
    },
  },
  "/auth/callback/credentials": {
    post: {
      operationId: "session.signIn",
      tags,
      summary: "Sign in: sets the session cookie",
      security: [],
      requestBody: form(
        z.object({
          csrfToken: z.string(),
          email: z.string(),
          password: z.string(),
          json: z.literal("true").optional().meta({ description: "Answer JSON instead of a redirect" }),
          callbackUrl,
        }),
      ),
      responses: {
        "200": json(z.object({ url: z.string() })),
        "302": { description: "Signed in, or back to the sign-in page with `error`" },
        "401": { description: "Wrong e-mail or password (with json=true); `url` carries `error`" },
        ...refusals,
      },
    },
  },
  "/auth/signin/oidc": {
    post: {
      operationId: "session.signInByOidc",
      tags,
      summary: "Begin a sign-in at the OIDC provider, where one is configured",
      description:
        "The provider sends the browser back to /auth/callback/oidc, which sets the session cookie.",
      security: [],
      requestBody: form(z.object({ csrfToken: z.string(), json: z.literal("true").optional(), callbackUrl })),
      responses: {
        "200": json(z.object({ url: z.string() })),
        "302": { description: "To the provider, or back to the sign-in page with `error`" },
        ...refusals,
      },
    },
  },
  "/auth/signout": {
    post: {
      operationId: "session.signOut",
      tags,
      summary: "Sign out: clears the session cookie",
      security: [],
      requestBody: form(z.object({ csrfToken: z.string(), json: z.literal("true").optional(), callbackUrl })),
      responses: {
        "200": json(z.object({ url: z.string() })),
        "302": { description: "Signed out" },
        ...refusals,
      },
    },
  },
};
