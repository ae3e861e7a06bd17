import { and, desc, eq, ne } from "drizzle-orm";
import { db } from "../../db/client.ts";
import { Problem } from "../../errors.ts";
import type { SignedIn } from "../principal.ts";
import { sessions, users } from "../tables.ts";
import { endSessions } from "./end-sessions.ts";
import { isLive, sessionExpiry } from "./session-lifetime.ts";

/** A user's active sessions, most recently used first. Throws not_found for an unknown user. */
export async function listSessions({ principal }: SignedIn, userId: number) {
  const [user] = await db.select({ id: users.id }).from(users).where(eq(users.id, userId));
  if (!user) throw new Problem("not_found", "User not found");
  const { id, signedInBy, secondFactor, createdAt, lastUsedAt, address, userAgent } = sessions;
  const rows = await db
    .select({
      ...{ id, signedInBy, secondFactor, createdAt, lastUsedAt },
      ...{ expiresAt: sessionExpiry(), address, userAgent },
    })
    .from(sessions)
    .where(and(eq(sessions.userId, userId), isLive()))
    .orderBy(desc(lastUsedAt), desc(id));
  return { items: rows.map((row) => ({ ...row, isCurrent: row.id === principal.sessionId })) };
}

/** Ends one session of a user. Throws not_found unless it is an active session of this user. */
export async function revokeSession(
  { principal }: SignedIn,
  { userId, sessionId }: { userId: number; sessionId: number },
): Promise<void> {
  const which = and(eq(sessions.id, sessionId), eq(sessions.userId, userId));
  const ended = await endSessions(db, which, reasonOf(principal.userId === userId));
  if (ended === 0) throw new Problem("not_found", "Session not found");
}

/** Ends all sessions of a user, optionally except the caller's. Throws not_found for an unknown user. */
export async function revokeSessions(
  { principal }: SignedIn,
  { userId, keepCurrent }: { userId: number; keepCurrent: boolean },
): Promise<{ ended: number }> {
  const [user] = await db.select({ id: users.id }).from(users).where(eq(users.id, userId));
  if (!user) throw new Problem("not_found", "User not found");
  const kept = keepCurrent ? principal.sessionId : undefined;
  const which = and(eq(sessions.userId, userId), kept === undefined ? undefined : ne(sessions.id, kept));
  return { ended: await endSessions(db, which, reasonOf(principal.userId === userId)) };
}

const reasonOf = (isOwn: boolean) => (isOwn ? "Revoked" : "RevokedByAdmin");
