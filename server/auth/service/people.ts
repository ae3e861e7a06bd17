import { and, asc, eq, inArray, sql } from "drizzle-orm";
import { type Connection, db } from "../../db/client.ts";
import type { Permission } from "../permissions.ts";
import type { SignedIn } from "../principal.ts";
import { users } from "../tables.ts";
import { holdsIn, isPerson } from "./project-roles.ts";

/** The enabled ones of these people who see a project, with their email addresses and time zones. */
export async function findPeopleSeeing(
  connection: Connection,
  projectId: number | null,
  ids: readonly number[],
) {
  if (ids.length === 0) return [];
  return connection
    .select({ id: users.id, name: users.name, email: users.email, timeZone: users.timeZone })
    .from(users)
    .where(and(isPerson, seeing(projectId, ids)))
    .orderBy(asc(users.id));
}

/** The enabled ones of these users, service accounts too, who see a project, as IDs. */
export async function findUserIdsSeeing(
  connection: Connection,
  projectId: number,
  ids: readonly number[],
): Promise<number[]> {
  const rows = await connection.select({ id: users.id }).from(users).where(seeing(projectId, ids));
  return rows.map(({ id }) => id);
}

const seeing = (projectId: number | null, ids: readonly number[]) =>
  and(
    inArray(users.id, [...ids]),
    projectId === null ? eq(users.enabled, true) : holdsIn("everything:read", [projectId]),
  );

/** Enabled people with a permission in any project that the caller sees: names only, sorted. */
export async function listPeopleWith({ principal }: SignedIn, permission: Permission) {
  const items = await db
    .select({ id: users.id, name: users.name })
    .from(users)
    .where(and(isPerson, holdsIn(permission, principal.projectIds)))
    .orderBy(asc(sql`lower(${users.name})`), asc(users.id));
  return { items };
}

/** Enabled people with a permission in a project, as IDs. */
export async function findUserIdsWith(
  connection: Connection,
  permission: Permission,
  projectId: number,
): Promise<number[]> {
  const rows = await connection
    .select({ id: users.id })
    .from(users)
    .where(and(isPerson, holdsIn(permission, [projectId])))
    .orderBy(asc(users.id));
  return rows.map(({ id }) => id);
}

/** Whether a user is one of them. */
export async function isUserWith(permission: Permission, id: number, projectId: number): Promise<boolean> {
  return (await db.$count(users, and(isPerson, eq(users.id, id), holdsIn(permission, [projectId])))) > 0;
}
