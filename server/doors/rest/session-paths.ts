import { z } from "zod";
import type { ZodOpenApiPathsObject } from "zod-openapi";
import { problemResponses } from "./problems.ts";

/** next-auth's endpoints below /svc/api/auth, for the OpenAPI document; these are not procedures. */
const tags = ["Session"];
const json = <Schema extends z.ZodType>(schema: Schema) => ({
  description: "OK",
  content: { "application/json": { schema } },
});

/** The methods of next-auth's endpoints. Those that only browser redirects use are not documented. */
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

/** The form is too long, or there were too many requests or sign-in attempts. */
const refusals = problemResponses(["too_large", "rate_limited"]);

export const sessionPaths: ZodOpenApiPathsObject = {
  "/auth/csrf": {
    get: {
      operationId: "session.csrf",
      tags,
      summary: "The CSRF token for signing in and out",
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
          json: z.literal("true").optional().meta({ description: "Return JSON instead of a redirect" }),
          callbackUrl,
        }),
      ),
      responses: {
        "200": json(z.object({ url: z.string() })),
        "302": { description: "Signed in, or back to the sign-in page with `error`" },
        "401": { description: "Wrong email or password (with json=true); `url` carries `error`" },
        ...problemResponses(["forbidden"]),
        ...refusals,
      },
    },
  },
  "/auth/signin/oidc": {
    post: {
      operationId: "session.signInByOidc",
      tags,
      summary: "Start a sign-in with the OIDC provider, if one is configured",
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
