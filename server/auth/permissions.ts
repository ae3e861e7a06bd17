import type { Role, Scope } from "./schema.ts";

type Rule = {
  /** The least role of a person. */
  role: Role;
  /** The least scope of a key; null where no key will do. */
  scope: Scope | null;
  /** It belongs to no project, so a key that is limited to projects cannot do it. */
  isGlobal?: true;
};

/** What may be done, and what it takes. Every procedure names one of these. */
export const permissions = {
  "everything:read": { role: "Viewer", scope: "Read" },
  "own-keys:manage": { role: "Viewer", scope: "Admin", isGlobal: true },
  "evaluations:run": { role: "Editor", scope: "Execute" },
  "queries:run": { role: "Editor", scope: "Execute" },
  "queries:configure": { role: "Editor", scope: "Admin" },
  /** Against changes, until it is unlocked. */
  "queries:lock": { role: "Admin", scope: "Admin" },
  "contracts:configure": { role: "Editor", scope: "Admin" },
  /** What tables and columns are, in people's words. */
  "catalogue:describe": { role: "Editor", scope: "Admin" },
  "subscriptions:run": { role: "Editor", scope: "Execute" },
  "subscriptions:configure": { role: "Editor", scope: "Admin" },
  "tasks:work": { role: "Editor", scope: "Execute" },
  "actors:run": { role: "Editor", scope: "Execute" },
  "actors:configure": { role: "Editor", scope: "Admin" },
  "plans:decide": { role: "Editor", scope: "Admin" },
  "recipients:configure": { role: "Editor", scope: "Admin" },
  "deliveries:retry": { role: "Editor", scope: "Execute" },
  "data-sources:manage": { role: "Admin", scope: "Admin" },
  "settings:manage": { role: "Admin", scope: "Admin", isGlobal: true },
  "query-changes:decide": { role: "Admin", scope: "Admin" },
  "projects:create": { role: "Admin", scope: "Admin", isGlobal: true },
  "projects:manage": { role: "Admin", scope: "Admin" },
  /** To see what was archived, and to bring it back. */
  "archive:manage": { role: "Admin", scope: "Admin" },
  "users:manage": { role: "Admin", scope: "Admin", isGlobal: true },
  /** What runs in the background: to see it, have it run again, end it. */
  "jobs:manage": { role: "Admin", scope: "Admin", isGlobal: true },
  "metrics:read": { role: "Admin", scope: "Admin", isGlobal: true },
  "audit:read": { role: "Admin", scope: "Admin", isGlobal: true },
  /** One's own password: people only, never a key. */
  "password:change": { role: "Viewer", scope: null },
  /** Where one is signed in: people only, so that a leaked key neither learns of it nor signs its owner out. */
  "own-sessions:manage": { role: "Viewer", scope: null, isGlobal: true },
  /** Before anybody has signed in. */
  anonymous: null,
} as const satisfies Record<string, Rule | null>;

export type Permission = keyof typeof permissions;

const roleRank: Record<Role, number> = { Viewer: 0, Editor: 1, Admin: 2 };
const scopeRank: Record<Scope, number> = { Read: 0, Execute: 1, Admin: 2 };

/** Who would do it: a role; for a key its scopes (null for a session) and its projects (null for all of them). */
export type Holder = { role: Role; scopes: readonly Scope[] | null; projectIds: readonly number[] | null };

/** Whether a role is enough and, where a key is used, its scopes and its projects are too. */
export function grants(permission: Permission, { role, scopes, projectIds }: Holder): boolean {
  const needed: Rule | null = permissions[permission];
  if (!needed) return true;
  if (roleRank[role] < roleRank[needed.role]) return false;
  if (needed.isGlobal && projectIds !== null) return false;
  if (scopes === null) return true;
  const least = needed.scope;
  return least !== null && scopes.some((scope) => scopeRank[scope] >= scopeRank[least]);
}

/** The roles that hold a permission, as far as that is up to the role. */
export function rolesWith(permission: Permission): Role[] {
  const needed: Rule | null = permissions[permission];
  return (Object.keys(roleRank) as Role[]).filter(
    (role) => !needed || roleRank[role] >= roleRank[needed.role],
  );
}
