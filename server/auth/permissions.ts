import type { ProjectRole, Role, Scope } from "./schema.ts";

type Rule = {
  /** The minimum role of a user. */
  role: Role;
  /** The minimum scope of a key; null if keys are not allowed. */
  scope: Scope | null;
  /** Not part of a project, so neither people nor keys that are limited to projects can do it. */
  isGlobal?: true;
  /** About the caller alone: people who are limited to projects can do it, keys that are limited cannot. */
  isOwn?: true;
  /** A decision that a person answers for: service accounts cannot make it. */
  isByPerson?: true;
};

/** Every permission and what it requires. Each procedure names one. */
export const permissions = {
  "everything:read": { role: "Viewer", scope: "Read" },
  "own-keys:manage": { role: "Viewer", scope: "Admin", isOwn: true },
  "evaluations:run": { role: "Editor", scope: "Execute" },
  "queries:run": { role: "Editor", scope: "Execute" },
  "queries:configure": { role: "Editor", scope: "Admin" },
  /** Locks a query against changes. */
  "queries:lock": { role: "Admin", scope: "Admin" },
  "contracts:configure": { role: "Editor", scope: "Admin" },
  /** Descriptions of tables and columns. */
  "catalog:describe": { role: "Editor", scope: "Admin" },
  "subscriptions:run": { role: "Editor", scope: "Execute" },
  "subscriptions:configure": { role: "Editor", scope: "Admin" },
  "tasks:work": { role: "Editor", scope: "Execute" },
  "incidents:work": { role: "Editor", scope: "Execute" },
  /** Maintenance windows, and who is notified about incidents. */
  "incidents:configure": { role: "Editor", scope: "Admin" },
  /** Deployments and loads, by pipelines. */
  "events:report": { role: "Editor", scope: "Execute" },
  "actors:run": { role: "Editor", scope: "Execute" },
  "actors:configure": { role: "Editor", scope: "Admin" },
  /** Propose plans for people to decide on, in the name of an actor. */
  "plans:propose": { role: "Editor", scope: "Execute" },
  "plans:decide": { role: "Editor", scope: "Admin", isByPerson: true },
  "recipients:configure": { role: "Editor", scope: "Admin" },
  "deliveries:retry": { role: "Editor", scope: "Execute" },
  "data-sources:manage": { role: "Admin", scope: "Admin" },
  "settings:manage": { role: "Admin", scope: "Admin", isGlobal: true },
  "query-changes:decide": { role: "Admin", scope: "Admin", isByPerson: true },
  "projects:create": { role: "Admin", scope: "Admin", isGlobal: true },
  "projects:manage": { role: "Admin", scope: "Admin" },
  /** Let people edit again what is managed as code. */
  "stacks:takeover": { role: "Admin", scope: "Admin" },
  /** List archived items and restore them. */
  "archive:manage": { role: "Admin", scope: "Admin" },
  "users:manage": { role: "Admin", scope: "Admin", isGlobal: true },
  /** Remove someone's second factors: people only, since a stolen key must not make passwords enough. */
  "second-factors:reset": { role: "Admin", scope: null, isGlobal: true },
  /** Background jobs: list, retry, cancel. */
  "jobs:manage": { role: "Admin", scope: "Admin", isGlobal: true },
  "metrics:read": { role: "Admin", scope: "Admin", isGlobal: true },
  "audit:read": { role: "Admin", scope: "Admin", isGlobal: true },
  /** Your own password: users only, never a key. */
  "password:change": { role: "Viewer", scope: null },
  /** Your own sessions and chat accounts: users only, so that a leaked key can neither list them nor sign its owner out. */
  "own-sessions:manage": { role: "Viewer", scope: null, isOwn: true },
  /** Your second factors: users only, since a key has none. */
  "own-factors:manage": { role: "Viewer", scope: null, isOwn: true },
  /** Your time zone, and what you are notified about: users only. */
  "own-profile:change": { role: "Viewer", scope: null, isOwn: true },
  /** What you want to see: users only, since a key sees nothing. */
  "own-preferences:change": { role: "Viewer", scope: null },
  /** What you ran in the editor: users only, and only their own. */
  "own-history:manage": { role: "Editor", scope: null, isOwn: true },
  /** Your saved filters of lists and your favorites: users only, since a key has no pages. */
  "own-views:manage": { role: "Viewer", scope: null, isOwn: true },
  /** Without authentication. */
  anonymous: null,
} as const satisfies Record<string, Rule | null>;

export type Permission = keyof typeof permissions;

const roleRank: Record<Role, number> = { Viewer: 0, Editor: 1, Admin: 2 };
const scopeRank: Record<Scope, number> = { Read: 0, Execute: 1, Admin: 2 };

export type Holder = {
  /** For someone limited to projects, the highest of their roles. */
  role: Role;
  /** A key's; null for a session. */
  scopes: readonly Scope[] | null;
  /** null for all. */
  projectIds: readonly number[] | null;
  /** The role in each project, if they differ. */
  projectRoles?: readonly ProjectRole[] | null;
  isServiceAccount?: boolean;
};

/** Whether the role and, for a key, its scopes and projects are sufficient, in at least one project. */
export function grants(
  permission: Permission,
  { role, scopes, projectIds, isServiceAccount }: Holder,
): boolean {
  const needed: Rule | null = permissions[permission];
  if (!needed) return true;
  if (roleRank[role] < roleRank[needed.role]) return false;
  if (needed.isByPerson && isServiceAccount) return false;
  if (needed.isGlobal && projectIds !== null) return false;
  if (scopes === null) return true;
  if (needed.isOwn && projectIds !== null) return false;
  const minScope = needed.scope;
  return minScope !== null && scopes.some((scope) => scopeRank[scope] >= scopeRank[minScope]);
}

/** Whether they are sufficient in this project. */
export function grantsIn(permission: Permission, holder: Holder, projectId: number): boolean {
  if (holder.projectIds !== null && !holder.projectIds.includes(projectId)) return false;
  return grants(permission, holder) && isRoleEnough(permission, holder, projectId);
}

/** Whether the role in a project that the holder sees is sufficient. */
export function isRoleEnough(permission: Permission, { role, projectRoles }: Holder, projectId: number) {
  const needed: Rule | null = permissions[permission];
  const there = projectRoles ? projectRoles.find((each) => each.projectId === projectId)?.role : role;
  return needed === null || (there !== undefined && roleRank[there] >= roleRank[needed.role]);
}

/** Whether the caller is an Admin of all projects and of the service itself. */
export const isAdminOfAll = ({ role, projectIds }: Holder): boolean =>
  role === "Admin" && projectIds === null;

/** The highest of the roles; Viewer without any. */
export const highestRole = (held: readonly { role: Role }[]): Role =>
  held.reduce<Role>((best, { role }) => (roleRank[role] > roleRank[best] ? role : best), "Viewer");

/** The roles that have a permission, before any key restrictions. */
export function rolesWith(permission: Permission): Role[] {
  const needed: Rule | null = permissions[permission];
  return (Object.keys(roleRank) as Role[]).filter(
    (role) => !needed || roleRank[role] >= roleRank[needed.role],
  );
}
