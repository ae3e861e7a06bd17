import { and, asc, eq, inArray, isNull, sql } from "drizzle-orm";
import type { SignedIn } from "../../auth/principal.ts";
import { db } from "../../db/client.ts";
import { Problem } from "../../errors.ts";
import { apiKeys } from "../tables.ts";
import { keysBelow } from "./lineage.ts";
import { isManagedBy, loadKeys } from "./load-keys.ts";

/**
 * Revokes a key and its descendants at the same time. It applies to the next request in every process; repeating it
 * changes nothing. Returns the key and those revoked with it. Throws not_found for a key that the caller may not
 * revoke.
 */
export async function revokeKey({ principal }: SignedIn, id: number) {
  const isOne = and(eq(apiKeys.id, id), isManagedBy(principal));
  await db.transaction(async (tx) => {
    // Lock first: the next statement then sees every descendant that was being created.
    const [held] = await tx.select({ id: apiKeys.id }).from(apiKeys).where(isOne).for("update");
    if (!held) return;
    const line = await tx
      .select({ id: apiKeys.id })
      .from(apiKeys)
      .where(sql`(${apiKeys.id} = ${id} or ${apiKeys.id} in ${keysBelow(id)})`)
      // In a fixed order, so that two revocations in one lineage wait for each other instead of deadlocking.
      .orderBy(asc(apiKeys.id))
      .for("update");
    const ids = line.map((each) => each.id);
    await tx
      .update(apiKeys)
      .set({ revokedAt: sql`now()` })
      .where(and(inArray(apiKeys.id, ids), isNull(apiKeys.revokedAt)));
  });
  const [key] = await loadKeys(isOne);
  if (!key) throw new Problem("not_found", "API key not found");
  return { ...key, revokedWithIt: await revokedWith(id) };
}

/** Descendants revoked at the same moment; one revoked earlier doesn't count. */
async function revokedWith(id: number) {
  const atOnce = sql`${apiKeys.revokedAt} = (select revoked_at from api_keys where id = ${id})`;
  const keys = await loadKeys(and(sql`${apiKeys.id} in ${keysBelow(id)}`, atOnce));
  return keys.map(({ id, name, prefix }) => ({ id, name, prefix }));
}
