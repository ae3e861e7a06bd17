import { eq } from "drizzle-orm";
import { db } from "../../db/client.ts";
import { hashPassword } from "../password.ts";
import { rejectPasswordSignIn } from "../password-sign-in.ts";
import { rejectWeakPassword } from "../password-strength.ts";
import type { SignedIn } from "../principal.ts";
import { recorded } from "../recorded.ts";
import { sessions, users } from "../tables.ts";
import { endSessions } from "./end-sessions.ts";
import { getOwnAccount, requirePassword } from "./own-password.ts";

/** Ends all sessions of the user, including this one; the next sign-in needs the new password. */
export async function changePassword(ctx: SignedIn, write: { current: string; next: string }): Promise<void> {
  rejectPasswordSignIn();
  const user = await getOwnAccount(ctx);
  await requirePassword(ctx, user, { password: write.current, path: "current" });
  await rejectWeakPassword(write.next, user, "next");
  const passwordHash = await hashPassword(write.next);
  await recorded(ctx, async () => {
    await db.update(users).set({ passwordHash }).where(eq(users.id, user.id));
    await endSessions(db, eq(sessions.userId, user.id), "PasswordChanged");
  });
}
