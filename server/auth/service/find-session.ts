import { and, eq, inArray, lt, sql } from "drizzle-orm";
import { db } from "../../db/client.ts";
import { compiled } from "../../db/compiled.ts";
import { type Principal, principalOfUser } from "../principal.ts";
import type { Role, Session } from "../schema.ts";
import { sessionTokenHash } from "../session-token.ts";
import { sessions, users } from "../tables.ts";
import { hasSecondFactor } from "./factors-of-user.ts";
import { storedProjectRoles } from "./project-roles.ts";
import { isLive, sessionLimits } from "./session-lifetime.ts";
import { storedFactorRoles } from "./sign-in-policy.ts";

const unusedForAMinute = lt(sessions.lastUsedAt, sql`now() - interval '1 minute'`);

/** A user with what decides whether a session of theirs is complete. */
const userOfSession = {
  signedInBy: sessions.signedInBy,
  user: users,
  projectRoles: storedProjectRoles,
  factorRoles: storedFactorRoles,
  hasFactor: sql<boolean>`${hasSecondFactor()}`,
};

const { placeholder } = sql;
const limits = {
  idleHours: placeholder("idleHours"),
  maxDays: placeholder("maxDays"),
  byPassword: placeholder("byPassword"),
};

const liveSession = compiled((db) =>
  db
    .select({
      sessionId: sessions.id,
      ...userOfSession,
      isToBeMarked: sql<boolean>`${unusedForAMinute}`,
    })
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.userId))
    .where(and(eq(sessions.tokenHash, placeholder("tokenHash")), eq(users.enabled, true), isLive(limits))),
);

/**
 * The user of a session token, read on every request, so that role changes and ended sessions take effect
 * immediately.
 */
export async function findSessionPrincipal(
  token: string,
): Promise<(Principal & { sessionId: number }) | null> {
  const [found] = await liveSession().execute({ tokenHash: sessionTokenHash(token), ...sessionLimits() });
  if (!found) return null;
  const { sessionId, user, projectRoles, isToBeMarked } = found;
  const principal = principalOfUser(user, projectRoles);
  if (isToBeMarked)
    await db
      .update(sessions)
      .set({ lastUsedAt: sql`now()` })
      .where(and(eq(sessions.id, sessionId), unusedForAMinute));
  return { ...principal, sessionId, ...(lacksFactor(principal.role, found) && { lacksSecondFactor: true }) };
}

type FoundFactors = {
  signedInBy: Session["signedInBy"];
  factorRoles: Role[] | null;
  hasFactor: boolean;
};

/** Whether the role needs a second factor that the user has not set up. With OIDC, that is the provider's matter. */
const lacksFactor = (role: Role, { signedInBy, factorRoles, hasFactor }: FoundFactors): boolean =>
  signedInBy !== "Oidc" && !hasFactor && (factorRoles ?? []).includes(role);

/** Only active sessions of people who may use them. */
export async function findLiveSessions(ids: readonly number[]): Promise<Set<number>> {
  if (ids.length === 0) return new Set();
  const rows = await db
    .select({ id: sessions.id, ...userOfSession })
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.userId))
    .where(and(inArray(sessions.id, [...ids]), eq(users.enabled, true), isLive()));
  const isOpen = (row: (typeof rows)[number]) =>
    !lacksFactor(principalOfUser(row.user, row.projectRoles).role, row);
  return new Set(rows.filter(isOpen).map(({ id }) => id));
}
