import { and, asc, eq, exists, isNull, or, type SQL, sql } from "drizzle-orm";
import { type Connection, db } from "../../db/client.ts";
import type { SecondFactor } from "../schema.ts";
import { passkeys, recoveryCodes, totpFactors, users } from "../tables.ts";

/** How a TOTP secret is bound to its user. */
export const totpSecretOf = (userId: number) => `second-factor:${userId}`;

/** Whether a user has a second factor, in a query of users. */
export const hasSecondFactor = (): SQL<boolean> =>
  or(
    exists(db.select({ one: sql`1` }).from(totpFactors).where(eq(totpFactors.userId, users.id))),
    exists(db.select({ one: sql`1` }).from(passkeys).where(eq(passkeys.userId, users.id))),
  ) as SQL<boolean>;

/** A user's passkeys, oldest first. */
export const passkeysOf = (connection: Connection, userId: number) =>
  connection.select().from(passkeys).where(eq(passkeys.userId, userId)).orderBy(asc(passkeys.id));

/** What a user can present after the password, the most convenient first; empty without a second factor. */
export async function factorsOf(connection: Connection, userId: number): Promise<SecondFactor[]> {
  const [[totp], keys, codes] = await Promise.all([
    connection.select({ userId: totpFactors.userId }).from(totpFactors).where(eq(totpFactors.userId, userId)),
    passkeysOf(connection, userId),
    connection.$count(recoveryCodes, and(eq(recoveryCodes.userId, userId), isNull(recoveryCodes.usedAt))),
  ]);
  if (!totp && keys.length === 0) return [];
  return [
    ...(keys.length > 0 ? (["Passkey"] as const) : []),
    ...(totp ? (["Totp"] as const) : []),
    ...(codes > 0 ? (["RecoveryCode"] as const) : []),
  ];
}

/** Removes everything that a user could present after the password. Returns whether there was anything. */
export async function removeFactors(connection: Connection, userId: number): Promise<boolean> {
  const removed = await Promise.all([
    connection
      .delete(totpFactors)
      .where(eq(totpFactors.userId, userId))
      .returning({ userId: totpFactors.userId }),
    connection.delete(passkeys).where(eq(passkeys.userId, userId)).returning({ userId: passkeys.userId }),
  ]);
  await connection.delete(recoveryCodes).where(eq(recoveryCodes.userId, userId));
  return removed.flat().length > 0;
}
