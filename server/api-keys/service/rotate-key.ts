import { and, eq, inArray, isNull, sql } from "drizzle-orm";
import type { SignedIn } from "../../auth/principal.ts";
import { isServiceAccount } from "../../auth/service/service-accounts.ts";
import { db, type Transaction } from "../../db/client.ts";
import { env } from "../../env.ts";
import { Problem } from "../../errors.ts";
import { databaseNow } from "../../jobs/schedules.ts";
import { hashOf, makeRawKey, prefixOf } from "../raw-key.ts";
import type { ApiKeyRotation } from "../schema.ts";
import { apiKeys } from "../tables.ts";
import { earlier, endOfMaker, managesServiceAccounts, resolveExpiry } from "./create-key.ts";
import { keysBelow } from "./lineage.ts";
import { isManagedBy, isTooOld, loadKeys } from "./load-keys.ts";

type Key = typeof apiKeys.$inferSelect;

/**
 * Makes a key that takes another one's place, with its name, scopes, projects, and addresses. The old one still works for
 * some hours, and with it the keys that it made.
 *
 * The new key acts in its owner's name, so only they can do this, or a key above it: with a stolen key, nobody gets one
 * that outlives it. For a service account, an Admin does. Throws not_found for a key that the caller does not manage,
 * forbidden for one that is not theirs, conflict for one that no longer works or was replaced before, and invalid for an
 * expiry that is not allowed.
 */
export async function rotateKey({ principal }: SignedIn, { id, overlapHours, expiresAt }: ApiKeyRotation) {
  const isOne = and(eq(apiKeys.id, id), isManagedBy(principal));
  const rawKey = makeRawKey();
  const newId = await db.transaction(async (tx) => {
    const [known] = await tx.select().from(apiKeys).where(isOne);
    if (!known) throw new Problem("not_found", "API key not found");
    if (!(await mayRotate(tx, known, principal)))
      throw new Problem(
        "forbidden",
        "Only its owner, signed in, or the key that created it can rotate a key; an Admin one of a service account",
      );
    // The maker is locked first, as by whoever revokes it.
    const makersEnd = known.parentKeyId === null ? null : await endOfMaker(tx, known.parentKeyId);
    const old = await holdActive(tx, id);
    const wanted = await resolveExpiry(expiresAt ?? usualExpiry(old, await databaseNow(tx)));
    const end = earlier(wanted, makersEnd);
    const createdById = old.userId === principal.userId ? null : principal.userId;
    const [made] = await tx
      .insert(apiKeys)
      .values({ ...sameAs(old), createdById, prefix: prefixOf(rawKey), hash: hashOf(rawKey), expiresAt: end })
      .returning({ id: apiKeys.id });
    if (!made) throw new Error("The insert returned no key");
    await tx.update(apiKeys).set({ replacedById: made.id }).where(eq(apiKeys.id, id));
    await endWithin(tx, id, overlapHours);
    return made.id;
  });
  const keys = await loadKeys(inArray(apiKeys.id, [id, newId]));
  const [made, old] = [newId, id].map((each) => keys.find((key) => key.id === each));
  if (!made || !old?.expiresAt) throw new Error("The rotated key is gone");
  const { name, prefix, expiresAt: until } = old;
  return { ...made, rawKey, replaces: { id, name, prefix, expiresAt: until } };
}

async function mayRotate(tx: Transaction, key: Key, principal: SignedIn["principal"]): Promise<boolean> {
  const { userId, keyId } = principal;
  if (key.userId !== userId)
    return managesServiceAccounts(principal) && (await isServiceAccount(tx, key.userId));
  if (keyId === undefined) return true;
  const [below] = await tx
    .select({ id: apiKeys.id })
    .from(apiKeys)
    .where(and(eq(apiKeys.id, key.id), sql`${apiKeys.id} in ${keysBelow(keyId)}`));
  return below !== undefined;
}

/** As long from now as the old key was to live from its creation, within what the operator allows; null: never. */
function usualExpiry({ createdAt, expiresAt }: Key, now: Date): string | null {
  if (expiresAt === null) return null;
  const { KEYS_MAX_DAYS: maxDays } = env();
  const lifetime = Math.min(
    expiresAt.getTime() - createdAt.getTime(),
    maxDays === null ? Number.POSITIVE_INFINITY : maxDays * 86_400_000,
  );
  return new Date(now.getTime() + lifetime).toISOString();
}

/** Locked, so that it is replaced once, and makes no other key meanwhile. */
async function holdActive(tx: Transaction, id: number): Promise<Key> {
  const isActive = sql<boolean>`${apiKeys.revokedAt} is null and not ${isTooOld()}
    and coalesce(${apiKeys.expiresAt} > clock_timestamp(), true)`;
  const [found] = await tx
    .select({ key: apiKeys, isActive })
    .from(apiKeys)
    .where(eq(apiKeys.id, id))
    .for("update");
  if (!found?.isActive) throw new Problem("conflict", "This key no longer works: create a new one");
  if (found.key.replacedById !== null)
    throw new Problem("conflict", "This key has already been rotated: rotate the key that replaced it");
  return found.key;
}

/** What the new key has of the old one. Both are limited by what their user may do when they are used. */
const sameAs = ({
  userId,
  parentKeyId,
  name,
  scopes,
  restricted,
  allowedProjectIds,
  allowedNetworks,
}: Key) => ({ userId, parentKeyId, name, scopes, restricted, allowedProjectIds, allowedNetworks });

/** Limits the lives of a key and of those that it made. */
async function endWithin(tx: Transaction, id: number, hours: number): Promise<void> {
  const end = sql`clock_timestamp() + ${hours} * interval '1 hour'`;
  await tx
    .update(apiKeys)
    .set({ expiresAt: sql`least(${apiKeys.expiresAt}, ${end})` })
    .where(and(isNull(apiKeys.revokedAt), sql`(${apiKeys.id} = ${id} or ${apiKeys.id} in ${keysBelow(id)})`));
}
