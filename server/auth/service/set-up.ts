import { sql } from "drizzle-orm";
import { type Connection, db } from "../../db/client.ts";
import { Problem } from "../../errors.ts";
import { hashPassword } from "../password.ts";
import type { Context } from "../principal.ts";
import { recorded } from "../recorded.ts";
import { users } from "../tables.ts";

export type FirstAdmin = { name: string; email: string; password: string };

async function hasUsers(connection: Connection): Promise<boolean> {
  return (await connection.select({ id: users.id }).from(users).limit(1)).length > 0;
}

/** `needed` until the first Admin exists; every page leads to /setup while it is. */
export async function setupStatus(): Promise<{ needed: boolean }> {
  return { needed: !(await hasUsers(db)) };
}

/** Creates the first Admin. Throws conflict once anybody exists; of two at once, one wins. */
export async function setUp({ name, email, password }: FirstAdmin, ctx: Pick<Context, "recorded"> = {}) {
  const passwordHash = await hashPassword(password);
  return recorded(ctx, async () => {
    await db.execute(sql`lock table ${users} in share row exclusive mode`);
    if (await hasUsers(db)) throw new Problem("conflict", "The service has been set up already");
    const [user] = await db.insert(users).values({ name, email, passwordHash, role: "Admin" }).returning();
    if (!user) throw new Error("The insert returned no user");
    return user;
  });
}
