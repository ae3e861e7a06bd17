import { eq, inArray, or } from "drizzle-orm";
import { db, type Transaction } from "../../db/client.ts";
import { projects } from "../../projects/tables.ts";
import { log } from "../../telemetry/log.ts";
import type { Identity, NamedRole } from "../oidc-claims.ts";
import { highestRole } from "../permissions.ts";
import type { Context } from "../principal.ts";
import type { ProjectRole, Role } from "../schema.ts";
import { users } from "../tables.ts";
import { adminTerm, lockAdmins } from "./admins.ts";
import { storedProjectRoles, storeProjectRoles } from "./project-roles.ts";

type User = typeof users.$inferSelect;

/** A role in all projects or, with a list, a role in each of those. */
export type Access = { role: Role; projectRoles: readonly ProjectRole[] | null };

export const noAccess: Access = { role: "Viewer", projectRoles: [] };

/**
 * Stores and records the access that something outside gives a user. Returns the user, or why nothing was stored: the last
 * Admin keeps access, since fixing a misconfigured provider takes another Admin, or this one's password.
 */
export async function storeAccess(
  tx: Transaction,
  id: number,
  access: Access,
  { record, by }: { record: NonNullable<Context["record"]>; by: "OIDC" | "SCIM" },
): Promise<User | "LastAdmin" | "Disabled"> {
  const admins = await lockAdmins(tx);
  const isAdmin = access.projectRoles === null && access.role === "Admin";
  if (!isAdmin && admins.length === 1 && admins[0]?.id === id) return "LastAdmin";
  const [before] = await tx
    .select({ user: users, projectRoles: storedProjectRoles })
    .from(users)
    .where(eq(users.id, id))
    .for("update", { of: users });
  if (!before?.user.enabled) return "Disabled";
  const wasAdmin = admins.some((admin) => admin.id === id);
  const [user] = await tx
    .update(users)
    .set({
      role: access.projectRoles ? "Viewer" : access.role,
      limitedToProjects: access.projectRoles !== null,
      ...adminTerm({ wasAdmin, isAdmin }),
    })
    .where(eq(users.id, id))
    .returning();
  if (!user) throw new Error("A locked user is gone");
  const [former, now] = [
    inWords(before.user.role, before.projectRoles),
    inWords(access.role, access.projectRoles),
  ];
  if (former === now) return user;
  if (before.projectRoles || access.projectRoles) await storeProjectRoles(tx, id, access.projectRoles);
  const detail = `${former} becomes ${now}, by ${by}`;
  await record({ action: "users.update", objectKind: "user", objectId: id, detail }, tx);
  return user;
}

function inWords(role: Role, projectRoles: readonly ProjectRole[] | null): string {
  if (projectRoles === null) return role;
  if (projectRoles.length === 0) return "No access";
  return projectRoles
    .toSorted((a, b) => a.projectId - b.projectId)
    .map((each) => `${each.role} in project ${each.projectId}`)
    .join(", ");
}

/** What claims or groups give, in the projects that exist; null if that is nothing. */
export async function accessBy(
  { role, projectRoles: named }: Pick<Identity, "role" | "projectRoles">,
  setting: string,
): Promise<Access | null> {
  if (role) return { role, projectRoles: null };
  const projectRoles = await findProjects(named, setting);
  return projectRoles.length === 0 ? null : { role: highestRole(projectRoles), projectRoles };
}

/** The highest role in each project. A name that no project has, or more than one, gives nothing. */
async function findProjects(named: readonly NamedRole[], setting: string): Promise<ProjectRole[]> {
  if (named.length === 0) return [];
  const asked = [...new Set(named.map(({ project }) => project))];
  const ids = asked.filter(isId).map(Number);
  const rows = await db
    .select({ id: projects.id, name: projects.name })
    .from(projects)
    .where(or(inArray(projects.id, ids), inArray(projects.name, asked)));
  const roles = new Map<number, Role>();
  for (const { project, role } of named) {
    const found = rows.filter(({ id, name }) => (isId(project) ? id === Number(project) : name === project));
    const [{ id } = { id: 0 }] = found;
    if (found.length === 1) roles.set(id, highestRole([{ role }, { role: roles.get(id) ?? role }]));
    else log.warn({ project, projects: found.length }, `${setting} does not name exactly one project`);
  }
  return [...roles].map(([projectId, role]) => ({ projectId, role }));
}

const isId = (project: string) => /^[1-9]\d{0,8}$/.test(project);
