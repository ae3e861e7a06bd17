import { and, isNull, type SQL, sql } from "drizzle-orm";
import { env } from "../../env.ts";
import { sessions } from "../tables.ts";

/**
 * When a session ends by itself: so long after it was last used, and at the latest so long after it began. It is
 * calculated from the settings of today, so shorter ones hold for sessions that are there already.
 */
export function sessionExpiry(): SQL<Date> {
  const { SESSION_IDLE_H, SESSION_MAX_DAYS } = env();
  return sql`least(
    ${sessions.lastUsedAt} + make_interval(hours => ${SESSION_IDLE_H}::integer),
    ${sessions.createdAt} + make_interval(days => ${SESSION_MAX_DAYS}::integer)
  )`.mapWith(sessions.createdAt) as SQL<Date>;
}

/** Whether a row is of a session that still counts. That its user is enabled is asked beside it. */
export const isLive = (): SQL | undefined => and(isNull(sessions.endedAt), sql`${sessionExpiry()} > now()`);
