import { and, eq, isNull, or, type SQL, sql } from "drizzle-orm";
import { env } from "../../env.ts";
import { sessions } from "../tables.ts";

/** The current settings, so that shorter ones apply to existing sessions. */
export function sessionLimits() {
  const { SESSION_IDLE_H, SESSION_MAX_DAYS, PASSWORD_SIGN_IN } = env();
  return { idleHours: SESSION_IDLE_H, maxDays: SESSION_MAX_DAYS, byPassword: PASSWORD_SIGN_IN };
}

/** Their values, or placeholders for them. */
type Limits = Record<keyof ReturnType<typeof sessionLimits>, unknown>;

/** When a session expires: an idle time after its last use, and at the latest a maximum time after its start. */
export const sessionExpiry = ({ idleHours, maxDays }: Limits = sessionLimits()): SQL<Date> =>
  sql`least(
    ${sessions.lastUsedAt} + make_interval(hours => ${idleHours}::integer),
    ${sessions.createdAt} + make_interval(days => ${maxDays}::integer)
  )`.mapWith(sessions.createdAt) as SQL<Date>;

/**
 * Whether a row is an active session. Whether the user is enabled is checked separately. While password sign-in is off,
 * sessions that began with one, or with a passkey in its place, are not.
 */
export const isLive = (limits: Limits = sessionLimits()): SQL | undefined =>
  and(
    isNull(sessions.endedAt),
    sql`${sessionExpiry(limits)} > now()`,
    or(sql`${limits.byPassword}::boolean`, eq(sessions.signedInBy, "Oidc")),
  );
