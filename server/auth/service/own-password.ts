import { and, eq, ne, sql } from "drizzle-orm";
import { db } from "../../db/client.ts";
import { invalidRequest, Problem } from "../../errors.ts";
import { verifyPassword } from "../password.ts";
import type { SignedIn } from "../principal.ts";
import { beginSignIn } from "../sign-in-limit.ts";
import { sessions, users } from "../tables.ts";

type Person = typeof users.$inferSelect;

/** The caller's own account. */
export async function getOwnAccount({ principal }: SignedIn): Promise<Person> {
  const [user] = await db.select().from(users).where(eq(users.id, principal.userId));
  if (!user) throw new Problem("unauthenticated", "Authentication is required");
  return user;
}

/** Throws invalid at `path` for a wrong password, which counts as a failed sign-in. */
export async function requirePassword(
  { address, claimedAddress }: SignedIn,
  { email, passwordHash }: Person,
  { password, path }: { password: string; path: string },
): Promise<void> {
  const attempt = await beginSignIn(email, { address, claimedAddress });
  const isRight = await verifyPassword(password, passwordHash).catch(async (error) => {
    await attempt.withdraw();
    throw error;
  });
  if (!isRight)
    throw new Problem("invalid", "The current password is incorrect", {
      errors: [{ path, message: "is incorrect" }],
    });
  await attempt.succeed();
}

/** Whether the caller's session began with a password or passkey in the last 10 minutes. */
export async function hasJustSignedIn({ principal }: SignedIn): Promise<boolean> {
  const isRecent = and(
    eq(sessions.id, principal.sessionId ?? 0),
    ne(sessions.signedInBy, "Oidc"),
    sql`${sessions.createdAt} > now() - interval '10 minutes'`,
  );
  return (await db.$count(sessions, isRecent)) > 0;
}

/** Throws invalid unless the caller has just signed in, or gives the password. */
export async function requireOwner(ctx: SignedIn, user: Person, password: string | undefined): Promise<void> {
  if (password !== undefined) return requirePassword(ctx, user, { password, path: "password" });
  if (await hasJustSignedIn(ctx)) return;
  throw invalidRequest([{ path: "password", message: "is required" }]);
}
