import { and, eq, inArray, lt, sql } from "drizzle-orm";
import { db } from "../../db/client.ts";
import { type Principal, principalOfUser } from "../principal.ts";
import { sessionTokenHash } from "../session-token.ts";
import { sessions, users } from "../tables.ts";
import { storedProjectRoles } from "./project-roles.ts";
import { isLive } from "./session-lifetime.ts";

const unusedForAMinute = lt(sessions.lastUsedAt, sql`now() - interval '1 minute'`);

/**
 * The user of a session token, read on every request, so that role changes and ended sessions take effect
 * immediately.
 */
export async function findSessionPrincipal(
  token: string,
): Promise<(Principal & { sessionId: number }) | null> {
  const [found] = await db
    .select({
      sessionId: sessions.id,
      user: users,
      projectRoles: storedProjectRoles,
      isToBeMarked: sql<boolean>`${unusedForAMinute}`,
    })
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.userId))
    .where(and(eq(sessions.tokenHash, sessionTokenHash(token)), eq(users.enabled, true), isLive()));
  if (!found) return null;
  const { sessionId, user, projectRoles, isToBeMarked } = found;
  if (isToBeMarked)
    await db
      .update(sessions)
      .set({ lastUsedAt: sql`now()` })
      .where(and(eq(sessions.id, sessionId), unusedForAMinute));
  return { ...principalOfUser(user, projectRoles), sessionId };
}

/** Only active sessions. */
export async function findLiveSessions(ids: readonly number[]): Promise<Set<number>> {
  if (ids.length === 0) return new Set();
  const rows = await db
    .select({ id: sessions.id })
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.userId))
    .where(and(inArray(sessions.id, [...ids]), eq(users.enabled, true), isLive()));
  return new Set(rows.map(({ id }) => id));
}
