import { and, desc, eq, inArray, isNull, sql } from "drizzle-orm";
import { db } from "../../db/client.ts";
import type { SecondFactor, Session } from "../schema.ts";
import { makeSessionToken, sessionTokenHash } from "../session-token.ts";
import { sessions, users } from "../tables.ts";
import { endSessions } from "./end-sessions.ts";

/** More than anyone has browsers; a program that signs in for every run ends its own oldest session. */
const maxSessions = 100;

/** How and from where someone signs in. */
export type SignInOrigin = Pick<Session, "signedInBy"> & {
  secondFactor?: SecondFactor | null;
  address: string;
  userAgent: string;
  /** The browser's time zone, which becomes the user's if they have none. */
  timeZone?: string | null;
};

/**
 * Starts a session for a user who just signed in, and returns the token for its cookie. null if the user was disabled
 * or changed the password since then, which ends all sessions.
 */
export async function beginSession(
  { id: userId, passwordHash }: Pick<typeof users.$inferSelect, "id" | "passwordHash">,
  { signedInBy, secondFactor = null, address, userAgent, timeZone = null }: SignInOrigin,
): Promise<string | null> {
  const token = makeSessionToken();
  const isUnchanged = and(
    eq(users.id, userId),
    eq(users.enabled, true),
    sql`${users.passwordHash} is not distinct from ${passwordHash}`,
  );
  return db.transaction(async (tx) => {
    // Serializes with changes to the user: either they see this session, or this waits for them.
    const [user] = await tx.select({ id: users.id }).from(users).where(isUnchanged).for("share");
    if (!user) return null;
    await tx.insert(sessions).values({
      tokenHash: sessionTokenHash(token),
      userId,
      signedInBy,
      secondFactor,
      address: address || null,
      userAgent: userAgent.slice(0, 500) || null,
    });
    if (timeZone !== null)
      await tx
        .update(users)
        .set({ timeZone })
        .where(and(eq(users.id, userId), isNull(users.timeZone)));
    const surplus = tx
      .select({ id: sessions.id })
      .from(sessions)
      .where(and(eq(sessions.userId, userId), sql`${sessions.endedAt} is null`))
      .orderBy(desc(sessions.lastUsedAt), desc(sessions.id))
      .offset(maxSessions);
    await endSessions(tx, inArray(sessions.id, surplus), "TooMany");
    return token;
  });
}
