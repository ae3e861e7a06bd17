import { eq } from "drizzle-orm";
import { db } from "../../db/client.ts";
import { Problem } from "../../errors.ts";
import { hashPassword, verifyPassword } from "../password.ts";
import { rejectPasswordSignIn } from "../password-sign-in.ts";
import { rejectWeakPassword } from "../password-strength.ts";
import type { SignedIn } from "../principal.ts";
import { recorded } from "../recorded.ts";
import { beginSignIn } from "../sign-in-limit.ts";
import { sessions, users } from "../tables.ts";
import { endSessions } from "./end-sessions.ts";

/** Ends all sessions of the user, including this one; the next sign-in needs the new password. */
export async function changePassword(ctx: SignedIn, write: { current: string; next: string }): Promise<void> {
  rejectPasswordSignIn();
  const { principal, address, claimedAddress } = ctx;
  const [user] = await db.select().from(users).where(eq(users.id, principal.userId));
  if (!user) throw new Problem("unauthenticated", "Authentication is required");
  const attempt = await beginSignIn(user.email, { address, claimedAddress });
  const isRight = await verifyPassword(write.current, user.passwordHash).catch(async (error) => {
    await attempt.withdraw();
    throw error;
  });
  if (!isRight)
    throw new Problem("invalid", "The current password is incorrect", {
      errors: [{ path: "current", message: "is incorrect" }],
    });
  await attempt.succeed();
  await rejectWeakPassword(write.next, user, "next");
  const passwordHash = await hashPassword(write.next);
  await recorded(ctx, async () => {
    await db.update(users).set({ passwordHash }).where(eq(users.id, user.id));
    await endSessions(db, eq(sessions.userId, user.id), "PasswordChanged");
  });
}
