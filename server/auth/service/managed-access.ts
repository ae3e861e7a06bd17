import { and, eq, exists, type SQL, sql } from "drizzle-orm";
import { db, type Transaction } from "../../db/client.ts";
import { Problem } from "../../errors.ts";
import { configuredOidc } from "../oidc.ts";
import type { AccessManager } from "../schema.ts";
import { groupsDecide } from "../scim/groups-decide.ts";
import { scimUsers, userIdentities, users } from "../tables.ts";

/**
 * People who sign in with the configured provider, or whom one has pushed here, have the role and projects that their
 * groups give them. Each sign-in or push sets them again, so changing them here would not last.
 */
function managers(): { by: AccessManager; name: string; manages: SQL }[] {
  const oidc = configuredOidc();
  const pushed = db
    .select({ userId: scimUsers.userId })
    .from(scimUsers)
    .where(eq(scimUsers.userId, users.id));
  const signingIn = db
    .select({ userId: userIdentities.userId })
    .from(userIdentities)
    .where(and(eq(userIdentities.userId, users.id), eq(userIdentities.issuer, oidc?.issuer ?? "")));
  return [
    ...(groupsDecide()
      ? [{ by: "Scim" as const, name: "The identity provider", manages: exists(pushed) }]
      : []),
    ...(oidc ? [{ by: "Oidc" as const, name: oidc.name, manages: exists(signingIn) }] : []),
  ];
}

/** To be selected with a user. */
export function managedBy() {
  const cases = managers().map(({ by, manages }) => sql`when ${manages} then ${by}`);
  if (cases.length === 0) return sql<AccessManager | null>`null`;
  return sql<AccessManager | null>`case ${sql.join(cases, sql` `)} end`;
}

/** Throws rejected if their groups decide what this user may do. */
export async function rejectManaged(tx: Transaction, userId: number): Promise<void> {
  for (const { name, manages } of managers()) {
    const [user] = await tx
      .select({ name: users.name })
      .from(users)
      .where(and(eq(users.id, userId), manages));
    if (user)
      throw new Problem("rejected", `${name} decides what ${user.name} may do: change their groups there`);
  }
}
