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
  "/auth/callback/second-factor": ["POST"],
  "/auth/callback/passkey": ["POST"],
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
        "401": {
          description:
            "Wrong email or password (with json=true); `url` carries `error`. With `SecondFactorRequired`, the password was " +
            "right, and `secondFactor` has the `ticket` and the `methods` for the second step",
        },
        ...problemResponses(["forbidden"]),
        ...refusals,
      },
    },
  },
  "/auth/callback/second-factor": {
    post: {
      operationId: "session.signInSecondStep",
      tags,
      summary: "Complete a sign-in with a second factor: sets the session cookie",
      description: "With one of `code`, `recoveryCode`, and `passkey`, and the `ticket` of the first step.",
      security: [],
      requestBody: form(
        z.object({
          csrfToken: z.string(),
          ticket: z.string(),
          code: z.string().optional().meta({ description: "Of the authenticator app; accepted once" }),
          recoveryCode: z.string().optional(),
          passkey: z.string().optional().meta({ description: "AuthenticationResponseJSON, as text" }),
          json: z.literal("true").optional(),
          callbackUrl,
        }),
      ),
      responses: {
        "200": json(z.object({ url: z.string() })),
        "302": { description: "Signed in, or back to the sign-in page with `error`" },
        "401": { description: "Wrong, already used, or too late (with json=true); `url` carries `error`" },
        ...problemResponses(["forbidden"]),
        ...refusals,
      },
    },
  },
  "/auth/callback/passkey": {
    post: {
      operationId: "session.signInByPasskey",
      tags,
      summary: "Sign in with a passkey alone: sets the session cookie",
      description: "For browsers; what it signs comes from the sign-in page.",
      security: [],
      requestBody: form(
        z.object({
          csrfToken: z.string(),
          ticket: z.string(),
          passkey: z.string().meta({ description: "AuthenticationResponseJSON, as text" }),
          json: z.literal("true").optional(),
          callbackUrl,
        }),
      ),
      responses: {
        "200": json(z.object({ url: z.string() })),
        "302": { description: "Signed in, or back to the sign-in page with `error`" },
        "401": { description: "Not a passkey of an enabled user (with json=true); `url` carries `error`" },
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
