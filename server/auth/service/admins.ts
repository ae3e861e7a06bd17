import { and, asc, eq, ne, sql } from "drizzle-orm";
import type { Transaction } from "../../db/client.ts";
import { users } from "../tables.ts";
import { isPerson } from "./project-roles.ts";

/** Service accounts are never counted: an Admin is someone who can sign in and decide. */

/**
 * The people who are enabled Admins, locked until the transaction ends: if two Admins demote each other at the same time,
 * the second sees that the first is gone.
 */
export async function lockAdmins(tx: Transaction) {
  return tx
    .select({ id: users.id })
    .from(users)
    .where(and(isPerson, eq(users.role, "Admin"), eq(users.enabled, true)))
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
  return (await tx.$count(users, and(isPerson, ne(users.id, userId), isOrWas))) > 0;
}

/** Whether someone was already an Admin at a given time: Admins created later cannot decide. */
export async function wasAdminBefore(tx: Transaction, userId: number, moment: Date): Promise<boolean> {
  const isSince = sql`coalesce(${users.adminSince}, ${users.createdAt}) < ${moment.toISOString()}`;
  return (await tx.$count(users, and(isPerson, eq(users.id, userId), isSince))) > 0;
}
