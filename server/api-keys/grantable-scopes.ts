import { scopes as allScopes } from "../auth/kinds.ts";
import type { Role, Scope } from "../auth/schema.ts";

const scopesOfRole: Record<Role, readonly Scope[]> = {
  Viewer: ["Read"],
  Editor: ["Read", "Execute"],
  Admin: allScopes,
};

/**
 * The scopes a caller may give a new key: those the role allows and, if a key creates the key, none above its own.
 * A scope includes the ones before it.
 */
export function grantableScopes({ role, scopes }: { role: Role; scopes: readonly Scope[] | null }): Scope[] {
  const highest = scopes === null ? allScopes.length : Math.max(...scopes.map(rankOf)) + 1;
  return allScopes.slice(0, highest).filter((scope) => scopesOfRole[role].includes(scope));
}

/** Each scope once, lowest first. */
export const inOrder = (scopes: readonly Scope[]): Scope[] =>
  allScopes.filter((scope) => scopes.includes(scope));

const rankOf = (scope: Scope) => allScopes.indexOf(scope);
