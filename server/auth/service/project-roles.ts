import { and, asc, eq, exists, inArray, notInArray, or, type SQL, sql } from "drizzle-orm";
import { type Connection, db, type Transaction } from "../../db/client.ts";
import { Problem } from "../../errors.ts";
import { projects } from "../../projects/tables.ts";
import { type Permission, rolesWith } from "../permissions.ts";
import type { ProjectRole, Role } from "../schema.ts";
import { projectMembers, users } from "../tables.ts";
import { managedBy } from "./managed-access.ts";

/** The NOTIFY channel on which every process hears whose projects have changed; the payload is the user's ID. */
export const changedAccessChannel = "plumbline_access_changed";

/** A user's roles in projects, to be selected with the user; null unless they are limited to projects. */
export const storedProjectRoles = sql<
  ProjectRole[] | null
>`case when ${users.limitedToProjects} then coalesce(
  (select json_agg(json_build_object('projectId', m.project_id, 'role', m.role) order by m.project_id)
    from project_members m where m.user_id = ${users.id}), '[]'::json) end`;

/**
 * Replaces a user's roles in projects; null lifts the limit. Applies to the next request of their sessions and keys, and
 * has their open pages reload. The user's own row must be locked, and have its role and limit already. Throws not_found
 * for an unknown project.
 */
export async function storeProjectRoles(
  tx: Transaction,
  userId: number,
  projectRoles: readonly ProjectRole[] | null,
): Promise<void> {
  const wanted = projectRoles ?? [];
  const ids = wanted.map(({ projectId }) => projectId);
  if ((await tx.$count(projects, inArray(projects.id, ids))) < ids.length)
    throw new Problem("not_found", "Project not found");
  await tx
    .delete(projectMembers)
    .where(and(eq(projectMembers.userId, userId), notInArray(projectMembers.projectId, ids)));
  if (wanted.length > 0)
    await tx
      .insert(projectMembers)
      .values(wanted.map((each) => ({ userId, ...each })))
      .onConflictDoUpdate({
        target: [projectMembers.userId, projectMembers.projectId],
        set: { role: sql`excluded.role` },
      });
  await announceAccess(tx, userId);
}

export async function announceAccess(connection: Connection, userId: number): Promise<void> {
  await connection.execute(sql`select pg_notify(${changedAccessChannel}, ${String(userId)})`);
}

/** Not a service account, to which nothing is assigned or sent. */
export const isPerson = eq(users.kind, "Person");

/** Enabled users who may do something in these projects: in all by their role, or as members. null: in any. */
export function holdsIn(permission: Permission, projectIds: readonly number[] | null): SQL | undefined {
  return and(eq(users.enabled, true), hasRoleIn(rolesWith(permission), projectIds));
}

function hasRoleIn(roles: Role[], projectIds: readonly number[] | null): SQL | undefined {
  const membership = db
    .select({ projectId: projectMembers.projectId })
    .from(projectMembers)
    .where(
      and(
        eq(projectMembers.userId, users.id),
        inArray(projectMembers.role, roles),
        projectIds === null ? undefined : inArray(projectMembers.projectId, [...projectIds]),
      ),
    );
  return or(
    and(eq(users.limitedToProjects, false), inArray(users.role, roles)),
    and(eq(users.limitedToProjects, true), exists(membership)),
  );
}

/** Every enabled person and service account that sees a project, by name; `isMember` if limited to projects. */
export async function listPeopleIn(projectId: number) {
  const rows = await db
    .select({
      id: users.id,
      name: users.name,
      kind: users.kind,
      role: users.role,
      memberRole: projectMembers.role,
      managedBy: managedBy(),
    })
    .from(users)
    .leftJoin(
      projectMembers,
      and(eq(projectMembers.userId, users.id), eq(projectMembers.projectId, projectId)),
    )
    .where(holdsIn("everything:read", [projectId]))
    .orderBy(asc(sql`lower(${users.name})`), asc(users.id));
  return rows.map(({ id, name, kind, role, memberRole, managedBy }) => ({
    user: { id, name },
    kind,
    role: memberRole ?? role,
    isMember: memberRole !== null,
    managedBy,
  }));
}
