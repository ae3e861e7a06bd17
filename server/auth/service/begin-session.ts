import { and, desc, eq, inArray, sql } from "drizzle-orm";
import { db } from "../../db/client.ts";
import type { Session } from "../schema.ts";
import { makeSessionToken, sessionTokenHash } from "../session-token.ts";
import { sessions, users } from "../tables.ts";
import { endSessions } from "./end-sessions.ts";

/** More than anybody has browsers; a program that signs in for each of its runs ends its own oldest. */
const mostSessions = 100;

/** How and from where somebody signs in. */
export type SignInOrigin = Pick<Session, "signedInBy"> & { address: string; userAgent: string };

/**
 * Begins a session of a user who has just signed in, and answers the token for its cookie. null when the user was
 * disabled or got another password since they were looked up: that ended their sessions, and this would be one more.
 */
export async function beginSession(
  { id: userId, passwordHash }: Pick<typeof users.$inferSelect, "id" | "passwordHash">,
  { signedInBy, address, userAgent }: SignInOrigin,
): Promise<string | null> {
  const token = makeSessionToken();
  const isUnchanged = and(
    eq(users.id, userId),
    eq(users.enabled, true),
    sql`${users.passwordHash} is not distinct from ${passwordHash}`,
  );
  return db.transaction(async (tx) => {
    // Whoever changes the user either waits for this session to be there, or is waited for.
    const [user] = await tx.select({ id: users.id }).from(users).where(isUnchanged).for("share");
    if (!user) return null;
    await tx.insert(sessions).values({
      tokenHash: sessionTokenHash(token),
      userId,
      signedInBy,
      address: address || null,
      userAgent: userAgent.slice(0, 500) || null,
    });
    const surplus = tx
      .select({ id: sessions.id })
      .from(sessions)
      .where(and(eq(sessions.userId, userId), sql`${sessions.endedAt} is null`))
      .orderBy(desc(sessions.lastUsedAt), desc(sessions.id))
      .offset(mostSessions);
    await endSessions(tx, inArray(sessions.id, surplus), "TooMany");
    return token;
  });
}
