import { asc, sql } from "drizzle-orm";
import type { Transaction } from "../../db/client.ts";
import { apiKeys } from "../tables.ts";

/**
 * Which keys made which. A key that a key made lives no longer than its maker, so making and revoking take turns:
 * whoever makes a key holds its maker and all makers above, whoever revokes one holds the key, and then finds
 * every key below it.
 */

/** The key and the makers above it, as a list of their ids. */
const withMakers = (id: number) => sql`(
  with recursive line as (
    select id, parent_key_id from api_keys where id = ${id}
    union
    select maker.id, maker.parent_key_id from api_keys maker join line on maker.id = line.parent_key_id
  )
  select id from line
)`;

/** The keys that a key made, and those that they made, as a list of their ids. */
export const keysBelow = (id: number) => sql`(
  with recursive line as (
    select id from api_keys where parent_key_id = ${id}
    union
    select made.id from api_keys made join line on made.parent_key_id = line.id
  )
  select id from line
)`;

/**
 * Holds a key and the makers above it until the transaction ends: none is revoked before then. Answers when the key
 * ends, which may be never; null when it or one above it has ended already.
 */
export async function holdLine(tx: Transaction, id: number): Promise<{ expiresAt: Date | null } | null> {
  const line = await tx
    .select({
      id: apiKeys.id,
      expiresAt: apiKeys.expiresAt,
      isOver: sql<boolean>`${apiKeys.revokedAt} is not null or coalesce(${apiKeys.expiresAt} <= clock_timestamp(), false)`,
    })
    .from(apiKeys)
    .where(sql`${apiKeys.id} in ${withMakers(id)}`)
    .orderBy(asc(apiKeys.id))
    .for("share");
  const key = line.find((each) => each.id === id);
  return key && !line.some(({ isOver }) => isOver) ? { expiresAt: key.expiresAt } : null;
}
