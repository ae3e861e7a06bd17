import { createPrivateKey, generateKeyPairSync, type KeyObject } from "node:crypto";
import { asc, desc, eq, inArray, lte, sql } from "drizzle-orm";
import { auditLog } from "../../audit/tables.ts";
import { db, type Transaction } from "../../db/client.ts";
import { decrypt, encrypt } from "../../db/encryption.ts";
import { batchSize, inBatches } from "../../jobs/in-batches.ts";
import { type Anchor, digestOf, firstHash, hashOf, signAnchor, signLink } from "../chain.ts";
import { auditChain, auditChainState, auditExport, auditPending } from "../tables.ts";

/** The place that the signing key is bound to. */
export const signingKeyOf = "audit-chain:1";

const keyFrom = (text: string) =>
  createPrivateKey({ key: Buffer.from(text, "base64"), format: "der", type: "pkcs8" });

/** The one row, which is made with a key on first use; `forUpdate` holds it, so that only one process extends the chain. */
async function stateIn(tx: Transaction) {
  const find = () => tx.select().from(auditChainState).for("update");
  const [found] = await find();
  if (found) return found;
  const { privateKey } = generateKeyPairSync("ed25519");
  const text = privateKey.export({ format: "der", type: "pkcs8" }).toString("base64");
  const anchor: Anchor = { position: 0, hash: firstHash, startedAt: new Date(), removedBefore: null };
  await tx
    .insert(auditChainState)
    .values({
      ...{ id: 1, signingKey: encrypt(text, signingKeyOf) },
      ...{ ...anchor, signature: signAnchor(anchor, privateKey) },
    })
    .onConflictDoNothing();
  const [made] = await find();
  if (!made) throw new Error("The audit chain has no state");
  return made;
}

/** The key that signs the chain. Throws DecryptionError. */
export const signingKey = (state: { signingKey: Buffer }): KeyObject =>
  keyFrom(decrypt(state.signingKey, signingKeyOf));

/** Adds what waits to the chain, in batches, each signed. Returns how many links were added. */
export function sealChain(): Promise<number> {
  return inBatches(async () => {
    const removed = await db.transaction(sealBatch);
    return { removed, isLast: removed < batchSize };
  });
}

async function sealBatch(tx: Transaction): Promise<number> {
  const state = await stateIn(tx);
  const waiting = await tx.select().from(auditPending).orderBy(asc(auditPending.id)).limit(batchSize);
  if (waiting.length === 0) return 0;
  const ids = waiting.map(({ entryId }) => entryId);
  const entries = await tx.select().from(auditLog).where(inArray(auditLog.id, ids));
  const byId = new Map(entries.map((entry) => [entry.id, entry]));
  const [last] = await tx.select().from(auditChain).orderBy(desc(auditChain.position)).limit(1);
  const now = new Date();
  let { position, hash } = last ?? state;
  // An entry that was removed before it was in the chain gets a link, too, which shows that.
  const links = ids.map((entryId) => {
    const entry = byId.get(entryId) ?? null;
    position += 1;
    const link = { position, entryId, at: entry?.at ?? now, digest: digestOf(entry) };
    hash = hashOf(link, hash);
    return { ...link, hash, signature: null as Buffer | null };
  });
  const end = links.at(-1);
  if (end) end.signature = signLink(end, signingKey(state));
  await tx.insert(auditChain).values(links);
  await tx.delete(auditPending).where(
    inArray(
      auditPending.id,
      waiting.map(({ id }) => id),
    ),
  );
  return waiting.length;
}

/**
 * Notes, signed, that entries older than so many days may be missing, before they are removed; never moves back. Then the
 * beginning of the chain, which is about such entries alone, is no longer needed, except for what is still to be exported.
 * Returns the moment, by the database's clock: exactly what is older may be removed.
 */
export function moveAnchor(days: number, { isExported }: { isExported: boolean }): Promise<Date> {
  return db.transaction(async (tx) => {
    const state = await stateIn(tx);
    const [now] = await tx.execute<{ limit: number }>(sql`
      select floor(extract(epoch from now() - ${days} * interval '1 day') * 1000)::float8 as limit`);
    const removedBefore = new Date(now?.limit ?? 0);
    const before = new Date(Math.max(removedBefore.getTime(), state.removedBefore?.getTime() ?? 0));
    const [kept] = await tx.execute<{ end: number | null }>(sql`
      select coalesce(
        (select min(position) - 1 from ${auditChain} where at >= ${before.toISOString()}),
        (select max(position) from ${auditChain}))::float8 as end`);
    const [sent] = isExported ? await tx.select().from(auditExport) : [];
    const end = Math.min(kept?.end ?? 0, isExported ? (sent?.position ?? 0) : Number.POSITIVE_INFINITY);
    const [cut] = await tx.select().from(auditChain).where(eq(auditChain.position, end));
    const anchor: Anchor = {
      position: cut?.position ?? state.position,
      hash: cut?.hash ?? state.hash,
      startedAt: state.startedAt,
      removedBefore: before,
    };
    await tx
      .update(auditChainState)
      .set({ ...anchor, signature: signAnchor(anchor, signingKey(state)) })
      .where(eq(auditChainState.id, 1));
    if (cut) await tx.delete(auditChain).where(lte(auditChain.position, cut.position));
    return removedBefore;
  });
}
