import { eq, sql } from "drizzle-orm";
import { type Connection, db } from "../db/client.ts";
import { Problem } from "../errors.ts";
import { hashPassword, verifyPassword } from "./password.ts";
import type { Principal, SignedIn } from "./principal.ts";
import { countSignIn, forgetSignIns } from "./sign-in-limit.ts";
import { users } from "./tables.ts";

export type NewUser = { name: string; email: string; password: string };
type User = typeof users.$inferSelect;

const byEmail = (email: string) => eq(sql`lower(${users.email})`, email.toLowerCase());

async function hasUsers(connection: Connection): Promise<boolean> {
  return (await connection.select({ id: users.id }).from(users).limit(1)).length > 0;
}

/** `needed` until the first Admin exists; every page leads to /setup while it is. */
export async function setupStatus(): Promise<{ needed: boolean }> {
  return { needed: !(await hasUsers(db)) };
}

/** Creates the first Admin. Throws conflict once anybody exists; of two at once, one wins. */
export async function setUp({ name, email, password }: NewUser): Promise<User> {
  const passwordHash = await hashPassword(password);
  return db.transaction(async (tx) => {
    await tx.execute(sql`lock table ${users} in share row exclusive mode`);
    if (await hasUsers(tx)) throw new Problem("conflict", "The service has been set up already");
    const [user] = await tx.insert(users).values({ name, email, passwordHash, role: "Admin" }).returning();
    if (!user) throw new Error("The insert returned no user");
    return user;
  });
}

/** The user with this e-mail and password, or null; the answer takes the same time either way. */
export async function signIn(email: string, password: string, address: string): Promise<User | null> {
  await countSignIn(email, address);
  const [user] = await db.select().from(users).where(byEmail(email));
  const isRight = await verifyPassword(password, user?.passwordHash);
  if (!user || !isRight || !user.enabled) return null;
  await forgetSignIns(email, address);
  await db.update(users).set({ lastSignInAt: sql`now()` }).where(eq(users.id, user.id));
  return user;
}

/**
 * Who a session belongs to, read anew on every request: a changed role counts at once, and a disabled user or
 * a session from before a change of password is nobody.
 */
export async function findSessionPrincipal(userId: number, sessionEpoch: number): Promise<Principal | null> {
  const [user] = await db.select().from(users).where(eq(users.id, userId));
  if (!user?.enabled || user.sessionEpoch !== sessionEpoch) return null;
  return { kind: "User", userId: user.id, name: user.name, role: user.role, scopes: null, projectIds: null };
}

export async function me({ principal }: SignedIn) {
  const [user] = await db.select().from(users).where(eq(users.id, principal.userId));
  if (!user) throw new Problem("unauthenticated", "Authentication is required");
  const { kind, role, scopes, projectIds } = principal;
  return { kind, user, role, scopes: scopes && [...scopes], projectIds: projectIds && [...projectIds] };
}

/** Ends every other session of the user, and this one too: the next sign-in is with the new password. */
export async function changePassword(
  { principal, address }: SignedIn,
  write: { current: string; next: string },
) {
  const [user] = await db.select().from(users).where(eq(users.id, principal.userId));
  if (!user) throw new Problem("unauthenticated", "Authentication is required");
  await countSignIn(user.email, address);
  if (!(await verifyPassword(write.current, user.passwordHash)))
    throw new Problem("invalid", "The current password is not right", {
      errors: [{ path: "current", message: "is not right" }],
    });
  await forgetSignIns(user.email, address);
  const passwordHash = await hashPassword(write.next);
  await db
    .update(users)
    .set({ passwordHash, sessionEpoch: sql`${users.sessionEpoch} + 1` })
    .where(eq(users.id, user.id));
}
