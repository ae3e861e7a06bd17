import { eq } from "drizzle-orm";
import { db } from "../../db/client.ts";
import { Problem } from "../../errors.ts";
import type { SignedIn } from "../principal.ts";
import { sessions } from "../tables.ts";
import { endSessions } from "./end-sessions.ts";
import { removeFactors } from "./factors-of-user.ts";
import { lockUser } from "./users.ts";

/**
 * Removes the second factors of someone who has lost them, and ends their sessions. Throws not_found, conflict if there are
 * none, and forbidden for oneself, who has to prove it on the profile page, and for keys: a stolen one must not make
 * passwords enough.
 */
export async function resetFactors({ principal }: SignedIn, id: number) {
  if (principal.sessionId === undefined)
    throw new Problem("forbidden", "Only someone who has signed in can reset a second factor");
  if (id === principal.userId)
    throw new Problem("forbidden", "Change your own second factors in your profile");
  return db.transaction(async (tx) => {
    const { name } = await lockUser(tx, id);
    if (!(await removeFactors(tx, id))) throw new Problem("conflict", "The user has no second factor");
    await endSessions(tx, eq(sessions.userId, id), "FactorsReset");
    return { id, name };
  });
}
