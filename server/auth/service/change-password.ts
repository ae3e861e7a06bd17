import { eq, sql } from "drizzle-orm";
import { db } from "../../db/client.ts";
import { Problem } from "../../errors.ts";
import { hashPassword, verifyPassword } from "../password.ts";
import type { SignedIn } from "../principal.ts";
import { recorded } from "../recorded.ts";
import { countSignIn, forgetSignIns } from "../sign-in-limit.ts";
import { users } from "../tables.ts";

/** Ends every other session of the user, and this one too: the next sign-in is with the new password. */
export async function changePassword(ctx: SignedIn, write: { current: string; next: string }): Promise<void> {
  const { principal, address } = ctx;
  const [user] = await db.select().from(users).where(eq(users.id, principal.userId));
  if (!user) throw new Problem("unauthenticated", "Authentication is required");
  await countSignIn(user.email, address);
  if (!(await verifyPassword(write.current, user.passwordHash)))
    throw new Problem("invalid", "The current password is not right", {
      errors: [{ path: "current", message: "is not right" }],
    });
  await forgetSignIns(user.email, address);
  const passwordHash = await hashPassword(write.next);
  const change = { passwordHash, sessionEpoch: sql`${users.sessionEpoch} + 1` };
  await recorded(ctx, () => db.update(users).set(change).where(eq(users.id, user.id)));
}
