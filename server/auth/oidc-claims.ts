import type { Oidc } from "./oidc.ts";
import type { Role } from "./schema.ts";

/** A provider's claims about a user: from an ID token, the userinfo endpoint, or a JWT. */
export type Claims = Readonly<Record<string, unknown>>;

/** A user as the provider knows them. Issuer and subject identify them; the rest is descriptive. */
export type Identity = {
  issuer: string;
  subject: string;
  name: string;
  email: string | null;
  isEmailVerified: boolean;
  /** The role in all projects by the current mapping, or null. */
  role: Role | null;
  /** Otherwise the roles in projects, which are named as in the mapping. */
  projectRoles: readonly NamedRole[];
};

/** A role in a project by its name or ID. */
export type NamedRole = { project: string; role: Role };

/** Reads claims whose origin is verified. null if they do not identify a user. */
export function identityOf(claims: Claims, oidc: Oidc): Identity | null {
  const subject = claims.sub;
  // OpenID Connect: at most 255 ASCII characters.
  if (typeof subject !== "string" || !/^[\x20-\x7e]{1,255}$/.test(subject)) return null;
  const email = emailIn(claims);
  return {
    issuer: oidc.issuer,
    subject,
    name: [claims.name, claims.preferred_username, email, subject].map(plainText).find(Boolean) ?? subject,
    email,
    // The string "true" is not accepted: a provider may mean anything by it.
    isEmailVerified: email !== null && claims.email_verified === true,
    ...rolesOf(claims, oidc),
  };
}

const plainText = (value: unknown) =>
  typeof value === "string"
    ? value
        .replace(/\p{Cc}/gu, " ")
        .trim()
        .slice(0, 200)
    : "";

function emailIn({ email }: Claims): string | null {
  const isOne =
    typeof email === "string" && email.length <= 200 && /^[^\s@\p{Cc}]+@[^\s@\p{Cc}]+$/u.test(email);
  return isOne ? email : null;
}

const highestFirst: readonly Role[] = ["Admin", "Editor", "Viewer"];

/**
 * The highest role that a value maps to; otherwise the roles in projects; without any, the default. No role and no project
 * denies access.
 */
export function rolesOf(
  claims: Claims,
  { roleClaims, roles, projectRoles, defaultRole }: Oidc,
): Pick<Identity, "role" | "projectRoles"> {
  const held = new Set(roleClaims.flatMap((name) => textsIn(claimNamed(name, claims))));
  const given = roles.filter(({ value }) => held.has(value)).map(({ role }) => role);
  const role = highestFirst.find((each) => given.includes(each));
  if (role) return { role, projectRoles: [] };
  const inProjects = projectRoles
    .filter(({ value }) => held.has(value))
    .map(({ project, role }) => ({ project, role }));
  return inProjects.length > 0
    ? { role: null, projectRoles: inProjects }
    : { role: defaultRole, projectRoles: [] };
}

/** By its full name, such as https://example.com/roles; otherwise as a path, such as realm_access.roles. */
function claimNamed(name: string, claims: Claims): unknown {
  if (Object.hasOwn(claims, name)) return claims[name];
  return name.split(".").reduce<unknown>((value, step) => {
    const isObject = typeof value === "object" && value !== null && Object.hasOwn(value, step);
    return isObject ? (value as Claims)[step] : undefined;
  }, claims);
}

function textsIn(value: unknown): string[] {
  if (typeof value === "string") return [value];
  return Array.isArray(value) ? value.filter((each) => typeof each === "string") : [];
}
