import { and, asc, eq, inArray, sql } from "drizzle-orm";
import { type Connection, db, type Transaction } from "../../db/client.ts";
import { Problem, violatedConstraint } from "../../errors.ts";
import { hashPassword } from "../password.ts";
import { type Permission, rolesWith } from "../permissions.ts";
import type { Role } from "../schema.ts";
import { users } from "../tables.ts";

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

/** Throws conflict when somebody has the e-mail address already, whatever its case. */
export async function createUser({ name, email, password, role }: NewUser) {
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
 * Replaces what may be changed of a user. Sessions and keys are left alone: each request reads the user anew.
 * Throws not_found, and conflict when nobody would be left who can manage users.
 */
export async function updateUser({ id, name, role, enabled }: UserWrite) {
  return db.transaction(async (tx) => {
    const admins = await lockAdmins(tx);
    const staysAdmin = role === "Admin" && enabled;
    if (!staysAdmin && admins.length === 1 && admins[0]?.id === id)
      throw new Problem("conflict", "The last enabled Admin cannot be disabled or given another role");
    const [user] = await tx.update(users).set({ name, role, enabled }).where(eq(users.id, id)).returning();
    if (!user) throw new Problem("not_found", "User not found");
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
