import { and, eq, type SQL, sql } from "drizzle-orm";
import { type Connection, db } from "../../db/client.ts";
import type { SessionEnd } from "../schema.ts";
import { sessions } from "../tables.ts";
import { isLive } from "./session-lifetime.ts";

/** The NOTIFY channel on which every process hears whose sessions ended; the payload is the user's id. */
export const endedSessionsChannel = "plumbline_sessions_ended";

/**
 * Ends those of the sessions that are active, and returns how many. Takes effect on the next request in any process;
 * open connections are notified when the transaction commits.
 */
export async function endSessions(
  connection: Connection,
  which: SQL | undefined,
  endReason: SessionEnd,
): Promise<number> {
  const ended = await connection
    .update(sessions)
    .set({ endedAt: sql`now()`, endReason })
    .where(and(isLive(), which))
    .returning({ userId: sessions.userId });
  for (const userId of new Set(ended.map((session) => session.userId)))
    await connection.execute(sql`select pg_notify(${endedSessionsChannel}, ${String(userId)})`);
  return ended.length;
}

export async function endSession(id: number, reason: SessionEnd): Promise<void> {
  await endSessions(db, eq(sessions.id, id), reason);
}

/** How long the reason why a session ended is kept. */
const keptDays = 30;

/** Deletes a batch of sessions that ended that long ago, and returns how many. */
export async function removeOldSessions(limit: number): Promise<number> {
  const gone = await db.execute(sql`
    delete from ${sessions} where ${sessions.id} = any(array(
      select ${sessions.id} from ${sessions}
      where ${sessions.lastUsedAt} < now() - make_interval(days => ${keptDays}) and not (${isLive()})
        and coalesce(${sessions.endedAt} < now() - make_interval(days => ${keptDays}), true)
      order by ${sessions.lastUsedAt} limit ${limit} for update skip locked))
    returning 1`);
  return gone.length;
}
