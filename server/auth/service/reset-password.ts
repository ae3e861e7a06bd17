import { randomBytes } from "node:crypto";
import { eq, sql } from "drizzle-orm";
import { db } from "../../db/client.ts";
import { hashPassword } from "../password.ts";
import type { Context } from "../principal.ts";
import { sessions, users } from "../tables.ts";
import { endChatAccounts } from "./chat-accounts.ts";
import { endSessions } from "./end-sessions.ts";
import { removeFactors } from "./factors-of-user.ts";

/**
 * For operators: gives a user a new password, removes their second factors, which they may have lost as well, enables
 * them, and ends their sessions. Their role and projects stay. Returns the password, which is not stored; null if nobody
 * has this email address.
 */
export async function resetPassword(
  email: string,
  record: NonNullable<Context["record"]>,
): Promise<{ name: string; password: string; hadSecondFactor: boolean } | null> {
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
    await endChatAccounts(tx, user.id);
    const hadSecondFactor = await removeFactors(tx, user.id);
    const what = hadSecondFactor ? "new password, second factors removed" : "new password";
    const detail = `${user.name}: ${what}, by an operator`;
    await record({ action: "users.update", objectKind: "user", objectId: user.id, detail }, tx);
    return { name: user.name, password, hadSecondFactor };
  });
}
