import { and, eq, exists, sql } from "drizzle-orm";
import { db, type Transaction } from "../../db/client.ts";
import { Problem } from "../../errors.ts";
import { configuredOidc } from "../oidc.ts";
import { userIdentities, users } from "../tables.ts";

/**
 * People who sign in with the configured provider have the role and projects that it gives them: each sign-in sets them
 * again, so that changing them here would not last.
 */
const identityHere = (issuer: string) =>
  db
    .select({ userId: userIdentities.userId })
    .from(userIdentities)
    .where(and(eq(userIdentities.userId, users.id), eq(userIdentities.issuer, issuer)));

/** To be selected with a user. */
export function managedBy() {
  const oidc = configuredOidc();
  if (!oidc) return sql<"Oidc" | null>`null`;
  return sql<"Oidc" | null>`case when ${exists(identityHere(oidc.issuer))} then 'Oidc' end`;
}

/** Throws rejected if the provider decides what this user may do. */
export async function rejectManaged(tx: Transaction, userId: number): Promise<void> {
  const oidc = configuredOidc();
  if (!oidc) return;
  const isManaged = and(eq(users.id, userId), exists(identityHere(oidc.issuer)));
  const [user] = await tx.select({ name: users.name }).from(users).where(isManaged);
  if (user)
    throw new Problem("rejected", `${oidc.name} decides what ${user.name} may do: change their groups there`);
}
