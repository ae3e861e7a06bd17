import { and, asc, eq, inArray, ne, sql } from "drizzle-orm";
import { type Connection, db, type Transaction } from "../../db/client.ts";
import { Problem, violatedConstraint } from "../../errors.ts";
import { rejectAdminByKey } from "../admin-by-key.ts";
import { hashPassword } from "../password.ts";
import { rejectWeakPassword } from "../password-strength.ts";
import { type Permission, rolesWith } from "../permissions.ts";
import type { SignedIn } from "../principal.ts";
import type { Role } from "../schema.ts";
import { sessions, users } from "../tables.ts";
import { endSessions } from "./end-sessions.ts";

export type NewUser = { name: string; email: string; password: string; role: Role };
export type UserWrite = {
  id: number;
  name: string;
  role: Role;
  enabled: boolean;
  /** The revision that the edit is based on. */
  baseRevision?: number | undefined;
};

/** All users by name, including disabled ones. */
export async function listUsers() {
  return {
    items: await db
      .select()
      .from(users)
      .orderBy(asc(sql`lower(${users.name})`), asc(users.id)),
  };
}

/** The enabled ones of these users, with their email addresses and time zones. */
export async function findEnabledUsers(connection: Connection, ids: readonly number[]) {
  if (ids.length === 0) return [];
  return connection
    .select({ id: users.id, name: users.name, email: users.email, timeZone: users.timeZone })
    .from(users)
    .where(and(inArray(users.id, [...ids]), eq(users.enabled, true)))
    .orderBy(asc(users.id));
}

const holds = (permission: Permission) =>
  and(eq(users.enabled, true), inArray(users.role, rolesWith(permission)));

/** Enabled users whose role has a permission: names only, sorted. */
export async function listPeopleWith(permission: Permission) {
  const items = await db
    .select({ id: users.id, name: users.name })
    .from(users)
    .where(holds(permission))
    .orderBy(asc(sql`lower(${users.name})`), asc(users.id));
  return { items };
}

/** The same, as IDs. */
export async function findUserIdsWith(connection: Connection, permission: Permission): Promise<number[]> {
  const rows = await connection
    .select({ id: users.id })
    .from(users)
    .where(holds(permission))
    .orderBy(asc(users.id));
  return rows.map(({ id }) => id);
}

/** Whether a user is one of them. */
export async function isUserWith(permission: Permission, id: number): Promise<boolean> {
  return (await db.$count(users, and(eq(users.id, id), holds(permission)))) > 0;
}

/** Enabled Admins, who are notified about the service itself. */
export async function findAdminIds(connection: Connection): Promise<number[]> {
  const rows = await connection
    .select({ id: users.id })
    .from(users)
    .where(and(eq(users.role, "Admin"), eq(users.enabled, true)));
  return rows.map(({ id }) => id);
}

/**
 * Throws invalid for a weak password, conflict if the email address is taken (ignoring case), and forbidden if a key
 * would create an Admin.
 */
export async function createUser({ principal }: SignedIn, { name, email, password, role }: NewUser) {
  if (role === "Admin") rejectAdminByKey(principal);
  await rejectWeakPassword(password, { name, email });
  const passwordHash = await hashPassword(password);
  try {
    const [user] = await db.insert(users).values({ name, email, role, passwordHash }).returning();
    if (!user) throw new Error("The insert returned no user");
    return user;
  } catch (error) {
    if (violatedConstraint(error) === "users_email_idx")
      throw new Problem("conflict", "Another user has this email address");
    throw error;
  }
}

/**
 * Replaces a user's editable fields. A new role applies to sessions and keys immediately, because each request reads
 * the user. Disabling ends their sessions; their keys are suspended until they are enabled again. Throws not_found,
 * conflict if no Admin would remain or someone else has edited the user since `baseRevision`, and forbidden if a key
 * would promote an Admin.
 */
export async function updateUser(
  { principal }: SignedIn,
  { id, name, role, enabled, baseRevision }: UserWrite,
) {
  return db.transaction(async (tx) => {
    const admins = await lockAdmins(tx);
    const wasAdmin = admins.some((admin) => admin.id === id);
    const isAdmin = role === "Admin" && enabled;
    if (isAdmin && !wasAdmin) rejectAdminByKey(principal);
    if (!isAdmin && wasAdmin && admins.length === 1)
      throw new Problem("conflict", "The last enabled Admin cannot be disabled or demoted");
    const [stored] = await tx.select().from(users).where(eq(users.id, id)).for("no key update");
    if (!stored) throw new Problem("not_found", "User not found");
    const { revision } = stored;
    if (baseRevision !== undefined && baseRevision !== revision)
      throw new Problem(
        "conflict",
        `The user is at revision ${revision}, but this edit is based on ${baseRevision}: now ${stored.name}, ${stored.role}, ${stored.enabled ? "enabled" : "disabled"}.`,
        { members: { revision } },
      );
    const [user] = await tx
      .update(users)
      .set({ name, role, enabled, revision: revision + 1, ...adminTerm({ wasAdmin, isAdmin }) })
      .where(eq(users.id, id))
      .returning();
    if (!user) throw new Problem("not_found", "User not found");
    if (!enabled) await endSessions(tx, eq(sessions.userId, id), "UserDisabled");
    return user;
  });
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
