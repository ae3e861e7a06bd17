import { and, asc, eq, inArray, ne, sql } from "drizzle-orm";
import { type Connection, db, type Transaction } from "../../db/client.ts";
import { env } from "../../env.ts";
import { Problem, violatedConstraint } from "../../errors.ts";
import { rejectAdminByKey } from "../admin-by-key.ts";
import { hashPassword } from "../password.ts";
import { rejectWeakPassword } from "../password-strength.ts";
import { highestRole, type Permission } from "../permissions.ts";
import type { SignedIn } from "../principal.ts";
import type { AccessManager, ProjectRole, Role } from "../schema.ts";
import { projectMembers, sessions, users } from "../tables.ts";
import { endSessions } from "./end-sessions.ts";
import { hasSecondFactor } from "./factors-of-user.ts";
import { managedBy, rejectManaged } from "./managed-access.ts";
import { holdsIn, storedProjectRoles, storeProjectRoles } from "./project-roles.ts";

/** Either a role in all projects or, with a list, a role in each of those. */
type AccessWrite = {
  role?: Role | undefined;
  projectRoles?: readonly ProjectRole[] | null | undefined;
};
export type NewUser = { name: string; email: string; password?: string | undefined } & AccessWrite;
export type UserWrite = {
  id: number;
  name: string;
  enabled: boolean;
  /** The revision that the edit is based on. */
  baseRevision?: number | undefined;
} & AccessWrite;

/** What `shownUser` needs of each user. */
export const userColumns = () => ({
  user: users,
  hasSecondFactor: sql<boolean>`${hasSecondFactor()}`,
  projectRoles: storedProjectRoles,
  managedBy: managedBy(),
});

/** A user as others see them: with the highest of their roles, if they are limited to projects. */
export function shownUser({
  user,
  hasSecondFactor,
  projectRoles,
  managedBy,
}: {
  user: typeof users.$inferSelect;
  hasSecondFactor: boolean;
  projectRoles: ProjectRole[] | null;
  managedBy: AccessManager | null;
}) {
  return {
    ...{ ...user, hasSecondFactor, projectRoles, managedBy },
    role: projectRoles ? highestRole(projectRoles) : user.role,
  };
}

/** All users by name, including disabled ones. */
export async function listUsers() {
  const rows = await db
    .select(userColumns())
    .from(users)
    .orderBy(asc(sql`lower(${users.name})`), asc(users.id));
  return { items: rows.map(shownUser) };
}

/** The enabled ones of these users who see a project, with their email addresses and time zones. */
export async function findUsersSeeing(
  connection: Connection,
  projectId: number | null,
  ids: readonly number[],
) {
  if (ids.length === 0) return [];
  return connection
    .select({ id: users.id, name: users.name, email: users.email, timeZone: users.timeZone })
    .from(users)
    .where(
      and(
        inArray(users.id, [...ids]),
        projectId === null ? eq(users.enabled, true) : holdsIn("everything:read", [projectId]),
      ),
    )
    .orderBy(asc(users.id));
}

/** Enabled users with a permission in any project that the caller sees: names only, sorted. */
export async function listPeopleWith({ principal }: SignedIn, permission: Permission) {
  const items = await db
    .select({ id: users.id, name: users.name })
    .from(users)
    .where(holdsIn(permission, principal.projectIds))
    .orderBy(asc(sql`lower(${users.name})`), asc(users.id));
  return { items };
}

/** Enabled users with a permission in a project, as IDs. */
export async function findUserIdsWith(
  connection: Connection,
  permission: Permission,
  projectId: number,
): Promise<number[]> {
  const rows = await connection
    .select({ id: users.id })
    .from(users)
    .where(holdsIn(permission, [projectId]))
    .orderBy(asc(users.id));
  return rows.map(({ id }) => id);
}

/** Whether a user is one of them. */
export async function isUserWith(permission: Permission, id: number, projectId: number): Promise<boolean> {
  return (await db.$count(users, and(eq(users.id, id), holdsIn(permission, [projectId])))) > 0;
}

/**
 * Throws invalid for a weak password, or none while people sign in with one, conflict if the email address is taken (ignoring case), not_found for an unknown
 * project, and forbidden if a key would create an Admin, be it of one project.
 */
export async function createUser(
  { principal }: SignedIn,
  { name, email, password, role = "Viewer", projectRoles = null }: NewUser,
) {
  if (role === "Admin" || projectRoles?.some((each) => each.role === "Admin")) rejectAdminByKey(principal);
  if (password === undefined && env().PASSWORD_SIGN_IN) throw passwordMissing();
  if (password !== undefined) await rejectWeakPassword(password, { name, email });
  const passwordHash = password === undefined ? null : await hashPassword(password);
  try {
    return await db.transaction(async (tx) => {
      const [user] = await tx
        .insert(users)
        .values({ name, email, role, limitedToProjects: projectRoles !== null, passwordHash })
        .returning();
      if (!user) throw new Error("The insert returned no user");
      if (projectRoles) await storeProjectRoles(tx, user.id, projectRoles);
      return readUser(tx, user.id);
    });
  } catch (error) {
    if (violatedConstraint(error) === "users_email_idx")
      throw new Problem("conflict", "Another user has this email address");
    throw error;
  }
}

const passwordMissing = () =>
  new Problem("invalid", "The request is not valid", {
    errors: [{ path: "password", message: "is required" }],
  });

/**
 * Replaces a user's editable fields. New roles apply to sessions and keys immediately, because each request reads
 * the user. Disabling ends their sessions; their keys are suspended until they are enabled again. Throws not_found,
 * also for an unknown project, conflict if no Admin would remain or someone else has edited the user since
 * `baseRevision`, invalid if a limit to projects would be lifted without saying so, rejected if the identity provider
 * decides what the user may do, and forbidden if a key would promote an Admin, be it of one project.
 */
export async function updateUser(
  { principal }: SignedIn,
  { id, name, role = "Viewer", projectRoles, enabled, baseRevision }: UserWrite,
) {
  return db.transaction(async (tx) => {
    const admins = await lockAdmins(tx);
    const wasAdmin = admins.some((admin) => admin.id === id);
    const isAdmin = role === "Admin" && enabled;
    if (isAdmin && !wasAdmin) rejectAdminByKey(principal);
    if (!isAdmin && wasAdmin && admins.length === 1)
      throw new Problem("conflict", "The last enabled Admin cannot be disabled or demoted");
    const before = await lockUser(tx, id);
    const { revision } = before;
    if (baseRevision !== undefined && baseRevision !== revision)
      throw new Problem(
        "conflict",
        `The user is at revision ${revision}, but this edit is based on ${baseRevision}: now ${before.name}, ${accessWords(before)}, ${before.enabled ? "enabled" : "disabled"}.`,
        { members: { revision } },
      );
    if (before.limitedToProjects && projectRoles === undefined) throw limitNotMentioned();
    const held = await heldRoles(tx, id);
    if (isOtherAccess({ ...before, held }, { role, projectRoles })) await rejectManaged(tx, id);
    rejectProjectAdminByKey(principal, {
      held,
      projectRoles,
      isEnabling: enabled && !before.enabled,
    });
    await tx
      .update(users)
      .set({
        ...{ name, role, enabled, limitedToProjects: Array.isArray(projectRoles), revision: revision + 1 },
        ...adminTerm({ wasAdmin, isAdmin }),
      })
      .where(eq(users.id, id));
    if (before.limitedToProjects || projectRoles) await storeProjectRoles(tx, id, projectRoles ?? null);
    if (!enabled) await endSessions(tx, eq(sessions.userId, id), "UserDisabled");
    return readUser(tx, id);
  });
}

const accessWords = ({ role, limitedToProjects }: typeof users.$inferSelect) =>
  limitedToProjects ? "limited to projects" : role;

/** A user, locked until the transaction ends. Throws not_found. */
export async function lockUser(tx: Transaction, id: number) {
  const [user] = await tx.select().from(users).where(eq(users.id, id)).for("update");
  if (!user) throw new Problem("not_found", "User not found");
  return user;
}

async function readUser(tx: Transaction, id: number) {
  const [found] = await tx.select(userColumns()).from(users).where(eq(users.id, id));
  if (!found) throw new Problem("not_found", "User not found");
  return shownUser(found);
}

/** A caller that knows nothing of the limit must not lift it by replacing the user. */
const limitNotMentioned = () =>
  new Problem("invalid", "The request is not valid", {
    errors: [
      {
        path: "projectRoles",
        message: "is required for a user who is limited to projects; null gives access to all",
      },
    ],
  });

const heldRoles = (tx: Transaction, userId: number): Promise<ProjectRole[]> =>
  tx
    .select({ projectId: projectMembers.projectId, role: projectMembers.role })
    .from(projectMembers)
    .where(eq(projectMembers.userId, userId));

function isOtherAccess(
  before: { role: Role; limitedToProjects: boolean; held: readonly ProjectRole[] },
  { role, projectRoles }: { role: Role; projectRoles: readonly ProjectRole[] | null | undefined },
): boolean {
  if (!projectRoles) return before.limitedToProjects || role !== before.role;
  const isHeld = ({ projectId, role }: ProjectRole) =>
    before.held.some((each) => each.projectId === projectId && each.role === role);
  return (
    !before.limitedToProjects || projectRoles.length !== before.held.length || !projectRoles.every(isHeld)
  );
}

/** Throws forbidden if a key would make a user an Admin of a project, or enable one. */
function rejectProjectAdminByKey(
  principal: SignedIn["principal"],
  change: {
    held: readonly ProjectRole[];
    projectRoles: readonly ProjectRole[] | null | undefined;
    isEnabling: boolean;
  },
): void {
  const wanted = (change.projectRoles ?? []).filter(({ role }) => role === "Admin");
  const isNew = ({ projectId }: ProjectRole) =>
    !change.held.some((each) => each.projectId === projectId && each.role === "Admin");
  if (wanted.some(isNew) || (change.isEnabling && wanted.length > 0)) rejectAdminByKey(principal);
}

/**
 * The enabled Admins, locked until the transaction ends: if two Admins demote each other at the same time, the second
 * sees that the first is gone.
 */
export async function lockAdmins(tx: Transaction) {
  return tx
    .select({ id: users.id })
    .from(users)
    .where(and(eq(users.role, "Admin"), eq(users.enabled, true)))
    .orderBy(asc(users.id))
    .for("update");
}

/** Timestamps to store when someone becomes or stops being an enabled Admin. */
export function adminTerm({ wasAdmin, isAdmin }: { wasAdmin: boolean; isAdmin: boolean }) {
  if (wasAdmin === isAdmin) return {};
  return isAdmin ? { adminSince: sql`now()`, adminUntil: null } : { adminUntil: sql`now()` };
}

/** Days for which a former Admin still counts as someone who must be asked. */
const formerAdminDays = 7;

/** Whether anyone else is an Admin, or was in the last few days: then nobody decides alone. */
export async function hasOtherAdmin(tx: Transaction, userId: number): Promise<boolean> {
  const isOrWas = sql`(${users.role} = 'Admin' and ${users.enabled}
    or ${users.adminUntil} > now() - ${formerAdminDays} * interval '1 day')`;
  return (await tx.$count(users, and(ne(users.id, userId), isOrWas))) > 0;
}

/** Whether someone was already an Admin at a given time: Admins created later cannot decide. */
export async function wasAdminBefore(tx: Transaction, userId: number, moment: Date): Promise<boolean> {
  const isSince = sql`coalesce(${users.adminSince}, ${users.createdAt}) < ${moment.toISOString()}`;
  return (await tx.$count(users, and(eq(users.id, userId), isSince))) > 0;
}
