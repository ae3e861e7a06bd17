import { env, type Settings } from "../env.ts";
import { passkeysPossible } from "./passkeys-possible.ts";
import type { Role } from "./schema.ts";

/** The OpenID Connect provider for sign-in and JWTs. */
export type Oidc = {
  /** The exact issuer, because it is part of a user's identity. */
  issuer: string;
  clientId: string;
  clientSecret: string;
  /** For people. */
  name: string;
  scope: string;
  /** The claim with the user's roles. */
  roleClaims: readonly string[];
  roles: readonly { role: Role; value: string }[];
  /** Roles in projects, by name or ID, for users without a mapped role. */
  projectRoles: readonly { project: string; role: Role; value: string }[];
  /** The role of users without any mapped value; null denies access. */
  defaultRole: Role | null;
  /** The audience that a JWT must have. */
  audience: string;
};

/** The configured provider, or null if there is only password sign-in. */
export function configuredOidc(s: Settings = env()): Oidc | null {
  const { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: clientSecret } = s;
  if (!issuer || !clientId || !clientSecret) return null;
  return {
    issuer,
    clientId,
    clientSecret,
    name: s.OIDC_NAME ?? new URL(issuer).hostname,
    scope: s.OIDC_SCOPE ?? "openid profile email",
    roleClaims: s.OIDC_ROLE_CLAIM ? [s.OIDC_ROLE_CLAIM] : ["roles", "groups"],
    roles: s.OIDC_ROLES ?? [],
    projectRoles: s.OIDC_PROJECT_ROLES ?? [],
    defaultRole: s.OIDC_DEFAULT_ROLE === "Viewer" ? "Viewer" : null,
    audience: s.OIDC_AUDIENCE ?? clientId,
  };
}

/** How people can sign in. */
export function signInOptions(): { oidc: { name: string } | null; password: boolean; passkeys: boolean } {
  const oidc = configuredOidc();
  const password = env().PASSWORD_SIGN_IN;
  // They take the place of a password, and so are off with it.
  return { oidc: oidc && { name: oidc.name }, password, passkeys: password && passkeysPossible() };
}
