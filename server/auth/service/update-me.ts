import { eq } from "drizzle-orm";
import { db } from "../../db/client.ts";
import type { SignedIn } from "../principal.ts";
import { users } from "../tables.ts";
import { me } from "./sign-in.ts";

/** Returns the caller as `me` does. */
export async function updateMe(ctx: SignedIn, { timeZone }: { timeZone: string }) {
  await db.update(users).set({ timeZone }).where(eq(users.id, ctx.principal.userId));
  return me(ctx);
}
