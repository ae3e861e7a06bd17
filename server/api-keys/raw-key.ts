import { hash, randomBytes } from "node:crypto";

/** The raw key: `sk-svc_` and 43 characters, which are 32 random bytes in base64url. */

/** Identifies a bearer credential as one of our keys. */
export const rawKeyMark = "sk-svc_";

export const makeRawKey = (): string => rawKeyMark + randomBytes(32).toString("base64url");

/** The only stored form of a key. No salt or stretching: 32 random bytes can't be guessed. */
export const hashOf = (rawKey: string): Buffer => hash("sha256", rawKey, "buffer");

/** For people to recognize a key; grants no access. */
export const prefixOf = (rawKey: string): string => rawKey.slice(0, 16);

/**
 * The key in these headers, or null. `Authorization: Bearer sk-svc_…` is the only accepted form: a different case,
 * spacing, or header doesn't count.
 */
export function presentedKey(headers: Headers): string | null {
  const authorization = headers.get("authorization");
  return authorization?.startsWith(`Bearer ${rawKeyMark}`) ? authorization.slice("Bearer ".length) : null;
}
