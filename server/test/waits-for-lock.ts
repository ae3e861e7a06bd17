import { setTimeout as delay } from "node:timers/promises";
import { sql } from "../db/client.ts";

/** Returns when somebody on this test's database waits for a lock that somebody else holds. */
export async function someoneWaitsForLock(): Promise<void> {
  for (;;) {
    const [waiting] = await sql`
      select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
    if (waiting) return;
    await delay(20);
  }
}
