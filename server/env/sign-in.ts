import { z } from "zod";
import { flag, optionalText, type Refuse, type Values, wholeNumber } from "./values.ts";

/** Identities must not be read or changed in transit, so the issuer must use https. */
const issuer = z
  .url({ protocol: /^https?$/ })
  .refine(
    (address) => /^https:|^http:\/\/(localhost|127\.0\.0\.1|\[::1\])(?=[:/]|$)/.test(address),
    "must be an https address (http only on this machine)",
  );

/** `Admin=plumbline-admins,Editor=data-team` as pairs; a role may appear more than once. */
const roleMapping = z
  .string()
  .regex(
    /^\s*(Viewer|Editor|Admin)=[^,]+(,\s*(Viewer|Editor|Admin)=[^,]+)*$/,
    "must look like Admin=one-group,Editor=another",
  )
  .transform((text) =>
    text.split(",").map((pair) => {
      const [role = "", ...value] = pair.split("=");
      return { role: role.trim() as "Viewer" | "Editor" | "Admin", value: value.join("=").trim() };
    }),
  );

/** `Sales:Editor=sales-team,7:Viewer=guests` as triples: a project by its name or ID, a role in it, and who has it. */
const projectMapping = z
  .string()
  .regex(
    /^\s*[^,]+?:(Viewer|Editor|Admin)=[^,]+(,\s*[^,]+?:(Viewer|Editor|Admin)=[^,]+)*$/,
    "must look like Sales:Editor=sales-team,7:Viewer=guests, with projects by name or ID",
  )
  .transform((text) =>
    text.split(",").map((each) => {
      const [, project = "", role, value = ""] = /^(.+?):(Viewer|Editor|Admin)=(.+)$/.exec(each.trim()) ?? [];
      return { project: project.trim(), role: role as "Viewer" | "Editor" | "Admin", value: value.trim() };
    }),
  );

/** The first three are required together; the others need them. */
const oidcSettings = [
  "OIDC_ISSUER",
  "OIDC_CLIENT_ID",
  "OIDC_CLIENT_SECRET",
  "OIDC_NAME",
  "OIDC_SCOPE",
  "OIDC_ROLE_CLAIM",
  "OIDC_ROLES",
  "OIDC_PROJECT_ROLES",
  "OIDC_DEFAULT_ROLE",
  "OIDC_AUDIENCE",
] as const;

/** Who can sign in: the first Admin, sessions, and identity providers. */
export const signInSettings = {
  SESSION_IDLE_H: wholeNumber(1, 720, 72).describe(
    "Hours of inactivity after which a session ends. An open page that refreshes itself counts as activity.",
  ),
  SESSION_MAX_DAYS: wholeNumber(1, 365, 30).describe(
    "Maximum lifetime of a session in days, even if it is active.",
  ),
  ADMIN_EMAIL: z
    .email()
    .optional()
    .describe("With ADMIN_PASSWORD: creates the first Admin on start, without /setup."),
  ADMIN_PASSWORD: z
    .string()
    .min(10, "must have at least 10 characters")
    .optional()
    .describe(
      "The first Admin's password. Change it after the first sign-in. A password that is easy to guess logs a warning.",
    ),
  OIDC_ISSUER: issuer
    .optional()
    .describe(
      "Issuer URL of an OpenID Connect provider. Users can sign in with it, and its JWTs are accepted.",
    ),
  OIDC_CLIENT_ID: optionalText.describe("The client ID registered with the provider."),
  OIDC_CLIENT_SECRET: optionalText.describe("The client secret registered with the provider."),
  OIDC_NAME: optionalText.describe("The provider's name on the sign-in button. Defaults to its host."),
  OIDC_SCOPE: z
    .string()
    .regex(/(^| )openid( |$)/, "must contain openid")
    .optional()
    .describe("The scopes to request. Defaults to openid profile email."),
  OIDC_ROLE_CLAIM: optionalText.describe(
    "The claim that OIDC_ROLES and OIDC_PROJECT_ROLES map, such as groups or realm_access.roles. Defaults to both roles and groups.",
  ),
  OIDC_ROLES: roleMapping
    .optional()
    .describe("Maps claim values to roles, as in Admin=one-group,Editor=another. The highest role wins."),
  OIDC_PROJECT_ROLES: projectMapping
    .optional()
    .describe(
      "Limits users whom OIDC_ROLES maps to no role to projects, by claim values, as in Sales:Editor=sales-team,7:Viewer=guests. The highest role in each project wins.",
    ),
  OIDC_DEFAULT_ROLE: z
    .enum(["Viewer", "none"])
    .optional()
    .describe(
      "The role of users whom OIDC_ROLES and OIDC_PROJECT_ROLES map to nothing. Defaults to none: they cannot sign in.",
    ),
  PASSWORD_SIGN_IN: flag
    .default(true)
    .describe("off: users sign in with OIDC only. Ends sessions that began with a password."),
  OIDC_AUDIENCE: optionalText.describe("The audience that a JWT must contain. Defaults to OIDC_CLIENT_ID."),
  SCIM_TOKEN: z
    .string()
    .regex(/^[\x21-\x7e]{32,}$/, "must be one word of ASCII with at least 32 characters")
    .optional()
    .describe(
      "A token with which an identity provider pushes users and groups by SCIM 2.0 to /svc/scim/v2, sent as `Authorization: Bearer …`. Without it, SCIM is off.",
    ),
  SCIM_ROLES: roleMapping
    .optional()
    .describe("Maps the names of pushed groups to roles, like OIDC_ROLES. The highest role wins."),
  SCIM_PROJECT_ROLES: projectMapping
    .optional()
    .describe(
      "Limits pushed users whom SCIM_ROLES maps to no role to projects, by the names of their groups, like OIDC_PROJECT_ROLES.",
    ),
};

/** Refuses a first Admin, SCIM, or a provider that is incomplete, and a way to sign in that lets nobody in. */
export function checkSignIn(s: Values<typeof signInSettings>, refuse: Refuse): void {
  if (Boolean(s.ADMIN_EMAIL) !== Boolean(s.ADMIN_PASSWORD))
    refuse("ADMIN_EMAIL", "and ADMIN_PASSWORD go together: set both or neither");
  if (!s.SCIM_TOKEN && s.SCIM_ROLES) refuse("SCIM_TOKEN", "is required by SCIM_ROLES");
  if (!s.SCIM_TOKEN && s.SCIM_PROJECT_ROLES) refuse("SCIM_TOKEN", "is required by SCIM_PROJECT_ROLES");

  const given = oidcSettings.filter((name) => s[name] !== undefined);
  const missing = oidcSettings.slice(0, 3).filter((name) => s[name] === undefined);
  if (given.length > 0 && missing.length > 0) refuse(missing[0] ?? "", `is required by ${given[0]}`);
  else if (given.length > 0 && !s.OIDC_ROLES && !s.OIDC_PROJECT_ROLES && s.OIDC_DEFAULT_ROLE !== "Viewer")
    refuse(
      "OIDC_ROLES",
      "or OIDC_PROJECT_ROLES is required unless OIDC_DEFAULT_ROLE is Viewer: otherwise nobody can sign in",
    );
  else if (!s.PASSWORD_SIGN_IN && !s.OIDC_ISSUER)
    refuse("PASSWORD_SIGN_IN", "off requires OIDC_ISSUER: otherwise nobody can sign in");
  else if (!s.PASSWORD_SIGN_IN && !s.OIDC_ROLES?.some(({ role }) => role === "Admin"))
    refuse("PASSWORD_SIGN_IN", "off requires OIDC_ROLES with an Admin group: otherwise no Admin can sign in");
}
