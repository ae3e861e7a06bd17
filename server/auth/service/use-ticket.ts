import { createHash } from "node:crypto";
import { sql } from "drizzle-orm";
import { db } from "../../db/client.ts";
import { rateLimits } from "../tables.ts";

/** Marks a ticket, or a signature, as used; false if it already was. Expired marks are removed with the counts of sign-ins. */
export async function useTicket(ticket: string): Promise<boolean> {
  const key = `ticket:${createHash("sha256").update(ticket).digest("base64url")}`;
  const made = await db
    .insert(rateLimits)
    .values({ key, points: 1, expire: sql`now() + interval '1 hour'` })
    .onConflictDoNothing()
    .returning({ key: rateLimits.key });
  return made.length === 1;
}
