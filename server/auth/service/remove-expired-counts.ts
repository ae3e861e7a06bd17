import { lt } from "drizzle-orm";
import { db } from "../../db/client.ts";
import { rateLimits } from "../tables.ts";

/** Deletes expired counts of failed sign-ins, and networks that an account has not used for long. */
export async function removeExpiredCounts(): Promise<void> {
  await db.delete(rateLimits).where(lt(rateLimits.expire, new Date()));
}
