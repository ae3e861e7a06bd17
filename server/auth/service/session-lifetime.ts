import { and, eq, isNull, type SQL, sql } from "drizzle-orm";
import { env } from "../../env.ts";
import { sessions } from "../tables.ts";

/**
 * When a session expires: an idle time after its last use, and at the latest a maximum time after its start. Computed
 * from the current settings, so shorter ones apply to existing sessions.
 */
export function sessionExpiry(): SQL<Date> {
  const { SESSION_IDLE_H, SESSION_MAX_DAYS } = env();
  return sql`least(
    ${sessions.lastUsedAt} + make_interval(hours => ${SESSION_IDLE_H}::integer),
    ${sessions.createdAt} + make_interval(days => ${SESSION_MAX_DAYS}::integer)
  )`.mapWith(sessions.createdAt) as SQL<Date>;
}

/**
 * Whether a row is an active session. Whether the user is enabled is checked separately. While password sign-in is off,
 * sessions that began with one, or with a passkey in its place, are not.
 */
export const isLive = (): SQL | undefined =>
  and(
    isNull(sessions.endedAt),
    sql`${sessionExpiry()} > now()`,
    env().PASSWORD_SIGN_IN ? undefined : eq(sessions.signedInBy, "Oidc"),
  );
