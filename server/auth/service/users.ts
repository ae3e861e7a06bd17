import { and, asc, eq, inArray, ne, sql } from "drizzle-orm";
import { type Connection, db, type Transaction } from "../../db/client.ts";
import { Problem, violatedConstraint } from "../../errors.ts";
import { refuseAdminByKey } from "../admin-by-key.ts";
import { hashPassword } from "../password.ts";
import { refuseWeakPassword } from "../password-strength.ts";
import { type Permission, rolesWith } from "../permissions.ts";
import type { SignedIn } from "../principal.ts";
import type { Role } from "../schema.ts";
import { sessions, users } from "../tables.ts";
import { endSessions } from "./end-sessions.ts";

export type NewUser = { name: string; email: string; password: string; role: Role };
export type UserWrite = { id: number; name: string; role: Role; enabled: boolean };

/** Everybody, by name, the disabled included. */
export async function listUsers() {
  return {
    items: await db
      .select()
      .from(users)
      .orderBy(asc(sql`lower(${users.name})`), asc(users.id)),
  };
}

/** Those of the users who are enabled, and where each can be written to. */
export async function findEnabledUsers(connection: Connection, ids: readonly number[]) {
  if (ids.length === 0) return [];
  return connection
    .select({ id: users.id, name: users.name, email: users.email })
    .from(users)
    .where(and(inArray(users.id, [...ids]), eq(users.enabled, true)))
    .orderBy(asc(users.id));
}

const holds = (permission: Permission) =>
  and(eq(users.enabled, true), inArray(users.role, rolesWith(permission)));

/** Those who are enabled and whose role holds a permission: by name, and nothing but their names. */
export async function listPeopleWith(permission: Permission) {
  const items = await db
    .select({ id: users.id, name: users.name })
    .from(users)
    .where(holds(permission))
    .orderBy(asc(sql`lower(${users.name})`), asc(users.id));
  return { items };
}

/** Whether a user is one of them. */
export async function isUserWith(permission: Permission, id: number): Promise<boolean> {
  return (await db.$count(users, and(eq(users.id, id), holds(permission)))) > 0;
}

/** The Admins who are enabled: who is told when the service itself needs somebody. */
export async function findAdminIds(connection: Connection): Promise<number[]> {
  const rows = await connection
    .select({ id: users.id })
    .from(users)
    .where(and(eq(users.role, "Admin"), eq(users.enabled, true)));
  return rows.map(({ id }) => id);
}

/**
 * Throws invalid for a weak password, conflict when somebody has the e-mail address already, whatever its case, and
 * forbidden for a key that would make an Admin.
 */
export async function createUser({ principal }: SignedIn, { name, email, password, role }: NewUser) {
  if (role === "Admin") refuseAdminByKey(principal);
  await refuseWeakPassword(password, { name, email });
  const passwordHash = await hashPassword(password);
  try {
    const [user] = await db.insert(users).values({ name, email, role, passwordHash }).returning();
    if (!user) throw new Error("The insert returned no user");
    return user;
  } catch (error) {
    if (violatedConstraint(error) === "users_email_idx")
      throw new Problem("conflict", "Another user has this e-mail address");
    throw error;
  }
}

/**
 * Replaces what may be changed of a user. A new role holds for their sessions and keys at once, since each request
 * reads the user anew. Disabling ends their sessions for good; their keys only rest until they are enabled again.
 * Throws not_found, conflict when nobody would be left who can manage users, and forbidden for a key that would make
 * somebody an Admin.
 */
export async function updateUser({ principal }: SignedIn, { id, name, role, enabled }: UserWrite) {
  return db.transaction(async (tx) => {
    const admins = await lockAdmins(tx);
    const wasAdmin = admins.some((admin) => admin.id === id);
    const isAdmin = role === "Admin" && enabled;
    if (isAdmin && !wasAdmin) refuseAdminByKey(principal);
    if (!isAdmin && wasAdmin && admins.length === 1)
      throw new Problem("conflict", "The last enabled Admin cannot be disabled or given another role");
    const [user] = await tx
      .update(users)
      .set({ name, role, enabled, ...adminTerm({ wasAdmin, isAdmin }) })
      .where(eq(users.id, id))
      .returning();
    if (!user) throw new Problem("not_found", "User not found");
    if (!enabled) await endSessions(tx, eq(sessions.userId, id), "UserDisabled");
    return user;
  });
}

/**
 * The enabled Admins, none of whom can cease to be one before the transaction ends: of two Admins who remove each
 * other at once, the second finds that the first is gone.
 */
export async function lockAdmins(tx: Transaction) {
  return tx
    .select({ id: users.id })
    .from(users)
    .where(and(eq(users.role, "Admin"), eq(users.enabled, true)))
    .orderBy(asc(users.id))
    .for("update");
}

/** What is written down when somebody becomes an enabled Admin, or ceases to be one. */
export function adminTerm({ wasAdmin, isAdmin }: { wasAdmin: boolean; isAdmin: boolean }) {
  if (wasAdmin === isAdmin) return {};
  return isAdmin ? { adminSince: sql`now()`, adminUntil: null } : { adminUntil: sql`now()` };
}

/** For how many days somebody who is no Admin any more still counts among those who must be asked. */
const daysAfterOffice = 7;

/** Whether anybody else is an Admin, or was until a few days ago: then nobody decides alone. */
export async function hasOtherAdmin(tx: Transaction, userId: number): Promise<boolean> {
  const isOrWas = sql`(${users.role} = 'Admin' and ${users.enabled}
    or ${users.adminUntil} > now() - ${daysAfterOffice} * interval '1 day')`;
  return (await tx.$count(users, and(ne(users.id, userId), isOrWas))) > 0;
}

/** Whether somebody has been an Admin since before a moment: who is made one afterwards has no say in it. */
export async function wasAdminBefore(tx: Transaction, userId: number, moment: Date): Promise<boolean> {
  const isSince = sql`coalesce(${users.adminSince}, ${users.createdAt}) < ${moment.toISOString()}`;
  return (await tx.$count(users, and(eq(users.id, userId), isSince))) > 0;
}
