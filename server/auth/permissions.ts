import type { Role, Scope } from "./schema.ts";

/**
 * What may be done, and what it takes: the least role of a person, and the least scope of a key.
 * Every procedure names one of these.
 */
export const permissions = {
  "everything:read": { role: "Viewer", scope: "Read" },
  "evaluations:run": { role: "Editor", scope: "Execute" },
  "contracts:configure": { role: "Editor", scope: "Admin" },
  "recipients:configure": { role: "Editor", scope: "Admin" },
  "data-sources:manage": { role: "Admin", scope: "Admin" },
  "projects:manage": { role: "Admin", scope: "Admin" },
  /** One's own password: people only, never a key. */
  "password:change": { role: "Viewer", scope: null },
  /** Before anybody has signed in. */
  anonymous: null,
} as const satisfies Record<string, { role: Role; scope: Scope | null } | null>;

export type Permission = keyof typeof permissions;

const roleRank: Record<Role, number> = { Viewer: 0, Editor: 1, Admin: 2 };
const scopeRank: Record<Scope, number> = { Read: 0, Execute: 1, Admin: 2 };

/** Whether a role, and a key's scopes where a key is used, are enough. `scopes` is null for a person's session. */
export function grants(permission: Permission, role: Role, scopes: readonly Scope[] | null): boolean {
  const needed = permissions[permission];
  if (!needed) return true;
  if (roleRank[role] < roleRank[needed.role]) return false;
  if (scopes === null) return true;
  const least = needed.scope;
  return least !== null && scopes.some((scope) => scopeRank[scope] >= scopeRank[least]);
}
