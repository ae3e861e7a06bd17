import { sql } from "drizzle-orm";
import { type Connection, db } from "../../db/client.ts";
import { Problem } from "../../errors.ts";
import { hashPassword } from "../password.ts";
import { refuseWeakPassword } from "../password-strength.ts";
import type { Context } from "../principal.ts";
import { recorded } from "../recorded.ts";
import { isSetupToken } from "../setup-token.ts";
import { beginSetUp } from "../sign-in-limit.ts";
import { users } from "../tables.ts";

export type FirstAdmin = { name: string; email: string; password: string };

async function hasUsers(connection: Connection): Promise<boolean> {
  return (await connection.select({ id: users.id }).from(users).limit(1)).length > 0;
}

/** `needed` until the first Admin exists; every page leads to /setup while it is. */
export async function setupStatus(): Promise<{ needed: boolean }> {
  return { needed: !(await hasUsers(db)) };
}

const alreadyDone = () => new Problem("conflict", "The service has been set up already");

/**
 * The first set-up as somebody asks for it. A call from this machine itself needs no token; any other must prove that
 * its sender can read what the service prints. Throws conflict once anybody exists, before anything costs time.
 */
export async function setUpFirst(
  ctx: Context,
  { token, ...admin }: FirstAdmin & { token?: string | undefined },
) {
  const { address, claimedAddress, isLocal } = ctx;
  if (await hasUsers(db)) throw alreadyDone();
  const attempt = await beginSetUp({ address, claimedAddress });
  if (token === undefined ? !isLocal : !isSetupToken(token)) throw wrongToken();
  await attempt.withdraw();
  await refuseWeakPassword(admin.password, admin);
  return setUp(admin, ctx);
}

const wrongToken = () =>
  new Problem(
    "forbidden",
    "Setting up from another machine takes the token that the service printed at its start",
    {
      errors: [
        { path: "token", message: "must be the one in the address that the service printed at its start" },
      ],
    },
  );

/** Creates the first Admin. Throws conflict once anybody exists; of two at once, one wins. */
export async function setUp({ name, email, password }: FirstAdmin, ctx: Pick<Context, "recorded"> = {}) {
  const passwordHash = await hashPassword(password);
  return recorded(ctx, async () => {
    await db.execute(sql`lock table ${users} in share row exclusive mode`);
    if (await hasUsers(db)) throw alreadyDone();
    const [user] = await db.insert(users).values({ name, email, passwordHash, role: "Admin" }).returning();
    if (!user) throw new Error("The insert returned no user");
    return user;
  });
}
