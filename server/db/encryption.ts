import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  hkdfSync,
  type KeyObject,
  randomBytes,
} from "node:crypto";
import { env } from "../env.ts";

/**
 * Secrets at rest: AES-256-GCM with ENCRYPTION_KEY.
 *
 * Ciphertext is bound to where it is stored, such as "data-source:12", so it cannot be decrypted after being moved to
 * another row. Format: `version (1) · key id (4) · IV (12) · tag (16) · ciphertext`; version 1 has no key id. The key
 * id reveals nothing about the key.
 */
const version = 2;
const versionWithoutKeyId = 1;
const keyIdLength = 4;
const ivLength = 12;
const tagLength = 16;

/** The ciphertext cannot be decrypted: wrong key, wrong place, or damage; it is impossible to tell which. */
export class DecryptionError extends Error {
  override readonly name = "DecryptionError";
}

export function encrypt(plaintext: string, bound: string, key = ownKey()): Buffer {
  const head = Buffer.concat([Buffer.of(version), idOf(key)]);
  const iv = randomBytes(ivLength);
  const cipher = createCipheriv("aes-256-gcm", key, iv, { authTagLength: tagLength });
  cipher.setAAD(associated(head, bound));
  const ciphertext = Buffer.concat([cipher.update(plaintext, "utf8"), cipher.final()]);
  return Buffer.concat([head, iv, cipher.getAuthTag(), ciphertext]);
}

/** Throws DecryptionError unless `sealed` was created by `encrypt` with this key and the same `bound`. */
export function decrypt(sealed: Uint8Array, bound: string, key = ownKey()): string {
  const headLength = sealed[0] === versionWithoutKeyId ? 1 : 1 + keyIdLength;
  const isKnown = sealed[0] === version || sealed[0] === versionWithoutKeyId;
  if (!isKnown || sealed.length < headLength + ivLength + tagLength)
    throw new DecryptionError("The stored secret has an unknown format");
  const head = sealed.subarray(0, headLength);
  if (headLength > 1 && !idOf(key).equals(head.subarray(1)))
    throw new DecryptionError("The stored secret was encrypted with another ENCRYPTION_KEY");
  const iv = sealed.subarray(headLength, headLength + ivLength);
  const tag = sealed.subarray(headLength + ivLength, headLength + ivLength + tagLength);
  const decipher = createDecipheriv("aes-256-gcm", key, iv, { authTagLength: tagLength });
  decipher.setAAD(associated(head, bound));
  decipher.setAuthTag(tag);
  try {
    const plaintext = Buffer.concat([
      decipher.update(sealed.subarray(headLength + ivLength + tagLength)),
      decipher.final(),
    ]);
    return plaintext.toString("utf8");
  } catch {
    throw new DecryptionError("The stored secret cannot be decrypted with this ENCRYPTION_KEY");
  }
}

/** Re-encrypts a value, bound to the same place. Throws DecryptionError. */
export type Reseal = (sealed: Uint8Array, bound: string) => Buffer;

/** Re-encrypts from one key to another; values that already use the new key are kept. */
export function resealing(formerKey: string, newKey: string): Reseal {
  const [former, now] = [secretKey(formerKey), secretKey(newKey)];
  return (sealed, bound) => {
    const isDone = sealed[0] === version && idOf(now).equals(sealed.subarray(1, 1 + keyIdLength));
    return encrypt(decrypt(sealed, bound, isDone ? now : former), bound, now);
  };
}

/** A key for something else than encryption: 32 bytes that change with ENCRYPTION_KEY and reveal nothing about it. */
export function derivedKey(purpose: string, key = ownKey()): Buffer {
  return Buffer.from(hkdfSync("sha256", key, "", `plumbline ${purpose}`, 32));
}

/** Version and key id are authenticated too, so they cannot be changed. */
function associated(head: Uint8Array, bound: string): Buffer {
  return Buffer.concat([head, Buffer.from(bound, "utf8")]);
}

const ids = new WeakMap<KeyObject, Buffer>();

function idOf(key: KeyObject): Buffer {
  const known = ids.get(key);
  if (known) return known;
  const id = createHmac("sha256", key).update("plumbline key id").digest().subarray(0, keyIdLength);
  ids.set(key, id);
  return id;
}

/** Kept: every evaluation decrypts, and making the key takes most of the time. */
let own: { value: string; key: KeyObject } | undefined;

function ownKey(): KeyObject {
  const value = env().ENCRYPTION_KEY;
  if (!value) throw new Error("ENCRYPTION_KEY is not set");
  if (own?.value !== value) own = { value, key: secretKey(value) };
  return own.key;
}

/** Parses ENCRYPTION_KEY: 64 hexadecimal digits, or base64. */
export function secretKey(value: string): KeyObject {
  return createSecretKey(Buffer.from(value, value.length === 64 ? "hex" : "base64"));
}
