import { env, type Settings } from "../env.ts";
import type { Role } from "./schema.ts";

/** The OpenID Connect provider by which people may sign in, and whose JWTs count. */
export type Oidc = {
  /** As the provider names itself, to the letter: it is the first half of who somebody is. */
  issuer: string;
  clientId: string;
  clientSecret: string;
  /** For people. */
  name: string;
  scope: string;
  /** Where its claims say what somebody is. */
  roleClaims: readonly string[];
  roles: readonly { role: Role; value: string }[];
  /** For whoever has none of the mapped values; null keeps them out. */
  defaultRole: Role | null;
  /** What a JWT must be meant for. */
  audience: string;
};

/** The configured provider, or null where people sign in by password alone. */
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
    defaultRole: s.OIDC_DEFAULT_ROLE === "Viewer" ? "Viewer" : null,
    audience: s.OIDC_AUDIENCE ?? clientId,
  };
}

/** What the sign-in page offers besides a password. */
export function signInOptions(): { oidc: { name: string } | null } {
  const oidc = configuredOidc();
  return { oidc: oidc && { name: oidc.name } };
}
