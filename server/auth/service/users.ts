import { asc, eq, sql } from "drizzle-orm";
import { db, type Transaction } from "../../db/client.ts";
import { env } from "../../env.ts";
import { invalidRequest, Problem, violatedConstraint } from "../../errors.ts";
import { rejectAdminByKey } from "../admin-by-key.ts";
import { hashPassword } from "../password.ts";
import { rejectWeakPassword } from "../password-strength.ts";
import { highestRole } from "../permissions.ts";
import type { SignedIn } from "../principal.ts";
import type { AccessManager, ProjectRole, Role, UserKind } from "../schema.ts";
import { projectMembers, sessions, users } from "../tables.ts";
import { adminTerm, lockAdmins } from "./admins.ts";
import { endChatAccounts } from "./chat-accounts.ts";
import { endSessions } from "./end-sessions.ts";
import { hasSecondFactor } from "./factors-of-user.ts";
import { managedBy, rejectManaged } from "./managed-access.ts";
import { storedProjectRoles, storeProjectRoles } from "./project-roles.ts";

/** Either a role in all projects or, with a list, a role in each of those. */
export type AccessWrite = {
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

/** All people, or service accounts, by name, including disabled ones. */
export async function listUsers(kind: UserKind = "Person") {
  const rows = await db
    .select(userColumns())
    .from(users)
    .where(eq(users.kind, kind))
    .orderBy(asc(sql`lower(${users.name})`), asc(users.id));
  return { items: rows.map(shownUser) };
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

const passwordMissing = () => invalidRequest([{ path: "password", message: "is required" }]);

/**
 * Replaces the editable fields of a user of this kind. New roles apply to sessions and keys immediately, because each
 * request reads the user. Disabling ends their sessions; their keys are suspended until they are enabled again. Throws not_found,
 * also for an unknown project, conflict if no Admin would remain or someone else has edited the user since
 * `baseRevision`, invalid if a limit to projects would be lifted without saying so, rejected if the identity provider
 * decides what the user may do, and forbidden if a key would promote an Admin, be it of one project.
 */
export async function updateUser({ principal }: SignedIn, write: UserWrite, kind: UserKind = "Person") {
  const { id, name, role = "Viewer", projectRoles, enabled, baseRevision } = write;
  return db.transaction(async (tx) => {
    const admins = await lockAdmins(tx);
    const before = await lockUser(tx, id);
    if (before.kind !== kind) throw userNotFound();
    const wasAdmin = before.role === "Admin" && before.enabled;
    const isAdmin = role === "Admin" && enabled;
    if (isAdmin && !wasAdmin) rejectAdminByKey(principal);
    if (wasAdmin && !isAdmin && kind === "Person" && admins.length === 1)
      throw new Problem("conflict", "The last enabled Admin cannot be disabled or demoted");
    const { revision } = before;
    if (baseRevision !== undefined && baseRevision !== revision)
      throw new Problem(
        "conflict",
        `The ${kind === "Person" ? "user" : "service account"} is at revision ${revision}, but this edit is based on ${baseRevision}: now ${before.name}, ${accessWords(before)}, ${before.enabled ? "enabled" : "disabled"}.`,
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
        ...(kind === "Person" && adminTerm({ wasAdmin, isAdmin })),
      })
      .where(eq(users.id, id));
    if (before.limitedToProjects || projectRoles) await storeProjectRoles(tx, id, projectRoles ?? null);
    if (!enabled) {
      await endSessions(tx, eq(sessions.userId, id), "UserDisabled");
      await endChatAccounts(tx, id);
    }
    return readUser(tx, id);
  });
}

const accessWords = ({ role, limitedToProjects }: typeof users.$inferSelect) =>
  limitedToProjects ? "limited to projects" : role;

/** A user, locked until the transaction ends. Throws not_found. */
export async function lockUser(tx: Transaction, id: number) {
  const [user] = await tx.select().from(users).where(eq(users.id, id)).for("update");
  if (!user) throw userNotFound();
  return user;
}

const userNotFound = () => new Problem("not_found", "User not found");

export async function readUser(tx: Transaction, id: number) {
  const [found] = await tx.select(userColumns()).from(users).where(eq(users.id, id));
  if (!found) throw userNotFound();
  return shownUser(found);
}

/** A caller that knows nothing of the limit must not lift it by replacing the user. */
const limitNotMentioned = () =>
  invalidRequest([
    {
      path: "projectRoles",
      message: "is required for a user who is limited to projects; null gives access to all",
    },
  ]);

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
