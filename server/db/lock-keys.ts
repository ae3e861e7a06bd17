import { sql } from "drizzle-orm";
import type { Transaction } from "./client.ts";

/**
 * A statement that locks keys until its transaction ends: whoever wants one of them waits. Always in the same order, so that no
 * two wait for each other.
 */
export const lockKeys = (tx: Transaction, keys: readonly string[]) =>
  tx.execute(sql`
    select pg_advisory_xact_lock(hashtextextended(key, 0))
    from json_array_elements_text(${JSON.stringify([...new Set(keys)].sort())}::json) as key`);
