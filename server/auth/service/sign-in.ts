import { eq, sql } from "drizzle-orm";
import { db } from "../../db/client.ts";
import { Problem } from "../../errors.ts";
import { verifyPassword } from "../password.ts";
import type { SignedIn } from "../principal.ts";
import { beginSignIn } from "../sign-in-limit.ts";
import { sessions, users } from "../tables.ts";
import { type SecondStep, secondStepOf } from "./second-sign-in-step.ts";
import { shownUser, userColumns } from "./users.ts";

type User = typeof users.$inferSelect;

/**
 * The user with this email and password, and what else they have to present, if anything; null if the password is wrong.
 * Takes the same time either way.
 */
export async function signIn(
  email: string,
  password: string,
  address: string,
  claimedAddress?: string,
): Promise<{ user: User; step: SecondStep | null } | null> {
  const attempt = await beginSignIn(email, { address, claimedAddress });
  const user = await findUserByPassword(email, password).catch(async (error) => {
    await attempt.withdraw();
    throw error;
  });
  if (!user) return null;
  const step = await secondStepOf(user);
  // Half a sign-in proves too little to clear failures, or to trust the network.
  if (step) await attempt.withdraw();
  else {
    await attempt.succeed();
    await db.update(users).set({ lastSignInAt: sql`now()` }).where(eq(users.id, user.id));
  }
  return { user, step };
}

async function findUserByPassword(email: string, password: string): Promise<User | null> {
  const [user] = await db
    .select()
    .from(users)
    .where(eq(sql`lower(${users.email})`, email.toLowerCase()));
  const isRight = await verifyPassword(password, user?.passwordHash);
  return user && isRight && user.enabled ? user : null;
}

/** The caller and their session. */
export async function me({ principal }: SignedIn) {
  const [found] = await db
    .select({
      ...userColumns(),
      session: { id: sessions.id, signedInBy: sessions.signedInBy, secondFactor: sessions.secondFactor },
    })
    .from(users)
    .leftJoin(sessions, eq(sessions.id, principal.sessionId ?? 0))
    .where(eq(users.id, principal.userId));
  if (!found) throw new Problem("unauthenticated", "Authentication is required");
  const { kind, role, scopes, projectIds, projectRoles } = principal;
  return {
    kind,
    user: shownUser(found),
    session: found.session,
    timeZone: found.user.timeZone,
    role,
    scopes: scopes && [...scopes],
    projectIds: projectIds && [...projectIds],
    projectRoles: projectRoles ? [...projectRoles] : null,
  };
}
