import { and, asc, eq, inArray, isNotNull, not, sql } from "drizzle-orm";
import { type Connection, db } from "../../db/client.ts";
import { highestRole } from "../permissions.ts";
import type { Role } from "../schema.ts";
import { sessions, signInPolicy, users } from "../tables.ts";
import { endedSessionsChannel } from "./end-sessions.ts";
import { hasSecondFactor } from "./factors-of-user.ts";
import { storedProjectRoles } from "./project-roles.ts";

/** The roles that need a second factor, to be selected with a user; null without a policy. */
export const storedFactorRoles = sql<Role[] | null>`(select second_factor_roles::text[] from sign_in_policy)`;

/** The roles that need a second factor. */
export async function rolesWithFactor(connection: Connection): Promise<Role[]> {
  const [set] = await connection.select({ roles: signInPolicy.secondFactorRoles }).from(signInPolicy);
  return set?.roles ?? [];
}

/** The roles, and who has one of them but only a password. */
export async function showSignInPolicy() {
  const secondFactorRoles = await rolesWithFactor(db);
  if (secondFactorRoles.length === 0) return { secondFactorRoles, lacking: [] };
  const people = await db
    .select({ id: users.id, name: users.name, role: users.role, projectRoles: storedProjectRoles })
    .from(users)
    .where(and(eq(users.enabled, true), isNotNull(users.passwordHash), not(hasSecondFactor())))
    .orderBy(asc(sql`lower(${users.name})`), asc(users.id));
  const lacking = people.filter(({ role, projectRoles }) =>
    secondFactorRoles.includes(projectRoles ? highestRole(projectRoles) : role),
  );
  return { secondFactorRoles, lacking: lacking.map(({ id, name }) => ({ id, name })) };
}

/** Applies to the next request of everyone with one of the roles, and to their open pages. */
export async function setSignInPolicy({ secondFactorRoles: asked }: { secondFactorRoles: readonly Role[] }) {
  const set = { secondFactorRoles: [...new Set(asked)].sort(), updatedAt: new Date() };
  await db
    .insert(signInPolicy)
    .values({ id: 1, ...set })
    .onConflictDoUpdate({ target: signInPolicy.id, set });
  const shown = await showSignInPolicy();
  const affected = shown.lacking.map(({ id }) => id);
  if (affected.length > 0)
    // The hub looks up again whose sessions may stay connected.
    await db.execute(sql`select pg_notify(${endedSessionsChannel}, ${sessions.userId}::text)
      from ${sessions} where ${inArray(sessions.userId, affected)} and ${sessions.endedAt} is null
      group by ${sessions.userId}`);
  return shown;
}
