import { randomBytes } from "node:crypto";
import { eq, sql } from "drizzle-orm";
import { db } from "../../db/client.ts";
import { hashPassword } from "../password.ts";
import type { Context } from "../principal.ts";
import { sessions, users } from "../tables.ts";
import { endSessions } from "./end-sessions.ts";

/**
 * For operators: gives a user a new password, enables them, and ends their sessions. Their role and projects stay. Returns
 * the password, which is not stored; null if nobody has this email address.
 */
export async function resetPassword(
  email: string,
  record: NonNullable<Context["record"]>,
): Promise<{ name: string; password: string } | null> {
  const password = randomBytes(12).toString("base64url");
  const passwordHash = await hashPassword(password);
  return db.transaction(async (tx) => {
    const [user] = await tx
      .update(users)
      .set({ passwordHash, enabled: true })
      .where(eq(sql`lower(${users.email})`, email.toLowerCase()))
      .returning();
    if (!user) return null;
    await endSessions(tx, eq(sessions.userId, user.id), "PasswordChanged");
    const detail = `${user.name}: new password, by an operator`;
    await record({ action: "users.update", objectKind: "user", objectId: user.id, detail }, tx);
    return { name: user.name, password };
  });
}
