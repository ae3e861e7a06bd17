import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";
import { env } from "./env.ts";

/**
 * Secrets at rest: AES-256-GCM under ENCRYPTION_KEY.
 *
 * What is sealed is bound to the place it belongs to, such as "data-source:12": moved to another row, it does
 * not open. The bytes are `version (1) · IV (12) · tag (16) · ciphertext`; the version leaves room for another
 * key or cipher beside the rows that are already there.
 */
const version = 1;
const ivLength = 12;
const tagLength = 16;
const headerLength = 1 + ivLength + tagLength;

/** Sealed bytes that do not open: another key, another place, or damage; which of them cannot be told. */
export class DecryptionError extends Error {
  override readonly name = "DecryptionError";
}

export function encrypt(plaintext: string, bound: string): Buffer {
  const iv = randomBytes(ivLength);
  const cipher = createCipheriv("aes-256-gcm", key(), iv, { authTagLength: tagLength });
  cipher.setAAD(associated(bound));
  const ciphertext = Buffer.concat([cipher.update(plaintext, "utf8"), cipher.final()]);
  return Buffer.concat([Buffer.of(version), iv, cipher.getAuthTag(), ciphertext]);
}

/** Throws DecryptionError unless `sealed` was made by `encrypt` with this key and the same `bound`. */
export function decrypt(sealed: Uint8Array, bound: string): string {
  if (sealed.length < headerLength || sealed[0] !== version)
    throw new DecryptionError("The stored secret has an unknown format");
  const iv = sealed.subarray(1, 1 + ivLength);
  const tag = sealed.subarray(1 + ivLength, headerLength);
  const decipher = createDecipheriv("aes-256-gcm", key(), iv, { authTagLength: tagLength });
  decipher.setAAD(associated(bound));
  decipher.setAuthTag(tag);
  try {
    const plaintext = Buffer.concat([decipher.update(sealed.subarray(headerLength)), decipher.final()]);
    return plaintext.toString("utf8");
  } catch {
    throw new DecryptionError("The stored secret cannot be opened with this ENCRYPTION_KEY");
  }
}

/** The version is authenticated too, so that it cannot be changed under the ciphertext. */
function associated(bound: string): Buffer {
  return Buffer.concat([Buffer.of(version), Buffer.from(bound, "utf8")]);
}

function key(): Buffer {
  const value = env().ENCRYPTION_KEY;
  if (!value) throw new Error("ENCRYPTION_KEY is not set");
  return Buffer.from(value, value.length === 64 ? "hex" : "base64");
}
