import { createHash, createPublicKey, type KeyObject, sign, verify } from "node:crypto";

/**
 * The chain that shows whether an entry of the audit log was removed or changed. Each link contains the hash of its entry
 * and that of the link before, so nothing in the middle can change without everything behind it; the last of several links
 * that were added at a time is signed with Ed25519, so nobody without the key can compute the chain anew.
 */

/** What of an entry is hashed: everything. */
export type ChainedEntry = {
  id: number;
  at: Date;
  principalKind: string;
  principalId: number | null;
  principalName: string;
  userId: number | null;
  action: string;
  objectKind: string;
  objectId: number | null;
  detail: string | null;
  outcome: string | null;
  address: string | null;
};

export type Link = { position: number; entryId: number; at: Date; digest: Buffer };

/** The hash in front of the first link. */
export const firstHash = Buffer.alloc(32);

const sha256 = (text: string | Buffer) => createHash("sha256").update(text).digest();

/** null for an entry that is gone. */
export function digestOf(entry: ChainedEntry | null): Buffer {
  if (!entry) return sha256("removed");
  const { id, at, outcome, address, detail, ...rest } = entry;
  const { principalKind, principalId, principalName, userId, action, objectKind, objectId } = rest;
  return sha256(
    JSON.stringify([
      ...[id, at.toISOString(), principalKind, principalId, principalName, userId],
      ...[action, objectKind, objectId, detail, outcome, address],
    ]),
  );
}

export function hashOf({ position, entryId, at, digest }: Link, before: Buffer): Buffer {
  return sha256(Buffer.concat([before, Buffer.from(`${position} ${entryId} ${at.toISOString()} `), digest]));
}

/** Where the chain begins, after old links were removed, and when it was begun. */
export type Anchor = { position: number; hash: Buffer; startedAt: Date; removedBefore: Date | null };

const linkText = ({ position, hash }: { position: number; hash: Buffer }) =>
  Buffer.from(`plumbline audit link ${position} ${hash.toString("hex")}`);
const anchorText = ({ position, hash, startedAt, removedBefore }: Anchor) =>
  Buffer.from(
    `plumbline audit anchor ${position} ${hash.toString("hex")} ${startedAt.toISOString()} ${removedBefore?.toISOString() ?? "-"}`,
  );

export const signLink = (link: { position: number; hash: Buffer }, key: KeyObject): Buffer =>
  sign(null, linkText(link), key);
export const signAnchor = (anchor: Anchor, key: KeyObject): Buffer => sign(null, anchorText(anchor), key);

export const isLinkSigned = (
  link: { position: number; hash: Buffer },
  signature: Buffer,
  key: KeyObject,
): boolean => verify(null, linkText(link), createPublicKey(key), signature);
export const isAnchorSigned = (anchor: Anchor, signature: Buffer, key: KeyObject): boolean =>
  verify(null, anchorText(anchor), createPublicKey(key), signature);
