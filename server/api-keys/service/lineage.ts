import { asc, sql } from "drizzle-orm";
import type { Transaction } from "../../db/client.ts";
import { apiKeys } from "../tables.ts";

/**
 * Which keys created which. A key created by a key never outlives it, so creating and revoking are serialized: creating
 * locks the parent and all its ancestors, and revoking locks the key before it looks up its descendants.
 */

/** The IDs of a key and its ancestors. */
const withMakers = (id: number) => sql`(
  with recursive line as (
    select id, parent_key_id from api_keys where id = ${id}
    union
    select maker.id, maker.parent_key_id from api_keys maker join line on maker.id = line.parent_key_id
  )
  select id from line
)`;

/** The IDs of a key's descendants. */
export const keysBelow = (id: number) => sql`(
  with recursive line as (
    select id from api_keys where parent_key_id = ${id}
    union
    select made.id from api_keys made join line on made.parent_key_id = line.id
  )
  select id from line
)`;

/**
 * Locks a key and its ancestors until the transaction ends: none can be revoked before then. Returns the key's expiry,
 * which may be never; null if it or an ancestor is no longer active.
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
