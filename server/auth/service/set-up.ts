import { sql } from "drizzle-orm";
import { type Connection, db } from "../../db/client.ts";
import { Problem } from "../../errors.ts";
import { hashPassword } from "../password.ts";
import { rejectPasswordSignIn } from "../password-sign-in.ts";
import { rejectWeakPassword } from "../password-strength.ts";
import type { Context } from "../principal.ts";
import { recorded } from "../recorded.ts";
import { isSetupToken } from "../setup-token.ts";
import { beginSetUp } from "../sign-in-limit.ts";
import { users } from "../tables.ts";
import { shownUser } from "./users.ts";

export type FirstAdmin = { name: string; email: string; password: string };

async function hasUsers(connection: Connection): Promise<boolean> {
  return (await connection.select({ id: users.id }).from(users).limit(1)).length > 0;
}

/** `needed` until the first Admin exists; until then every page redirects to /setup. */
export async function setupStatus(): Promise<{ needed: boolean }> {
  return { needed: !(await hasUsers(db)) };
}

const alreadyDone = () => new Problem("conflict", "Setup is already complete");

/**
 * A setup request. From this machine it needs no token; from any other, the caller must prove that they can read the
 * service's output. Throws conflict if a user exists, before any expensive work, and forbidden if password sign-in is off.
 */
export async function setUpFirst(
  ctx: Context,
  { token, ...admin }: FirstAdmin & { token?: string | undefined },
) {
  const { address, claimedAddress, isLocal } = ctx;
  if (await hasUsers(db)) throw alreadyDone();
  rejectPasswordSignIn();
  const attempt = await beginSetUp({ address, claimedAddress });
  if (token === undefined ? !isLocal : !isSetupToken(token)) throw wrongToken();
  await attempt.withdraw();
  await rejectWeakPassword(admin.password, admin);
  return setUp(admin, ctx);
}

const wrongToken = () =>
  new Problem(
    "forbidden",
    "Setup from another machine requires the token that the service printed at startup",
    {
      errors: [
        { path: "token", message: "must be the one in the address that the service printed at startup" },
      ],
    },
  );

/** Creates the first Admin. Throws conflict if a user exists; of two concurrent requests, one wins. */
export async function setUp({ name, email, password }: FirstAdmin, ctx: Pick<Context, "recorded"> = {}) {
  const passwordHash = await hashPassword(password);
  return recorded(ctx, async () => {
    await db.execute(sql`lock table ${users} in share row exclusive mode`);
    if (await hasUsers(db)) throw alreadyDone();
    const [user] = await db.insert(users).values({ name, email, passwordHash, role: "Admin" }).returning();
    if (!user) throw new Error("The insert returned no user");
    return shownUser({ user, hasSecondFactor: false, projectRoles: null, managedBy: null });
  });
}
