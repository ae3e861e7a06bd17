import { lt } from "drizzle-orm";
import { db } from "../../db/client.ts";
import { rateLimits } from "../tables.ts";

/** Removes counts of failed sign-ins that are over, and networks that an account has not come from for long. */
export async function removeExpiredCounts(): Promise<void> {
  await db.delete(rateLimits).where(lt(rateLimits.expire, new Date()));
}
