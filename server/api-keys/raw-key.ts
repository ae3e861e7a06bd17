import { createHash, randomBytes } from "node:crypto";

/** The key as its holder has it: `sk-svc_` and 43 characters, which are 32 random bytes in base64url. */

/** What makes a bearer credential one of ours. */
export const rawKeyMark = "sk-svc_";

export const makeRawKey = (): string => rawKeyMark + randomBytes(32).toString("base64url");

/** All that is stored of a key. Without salt or stretching: nobody guesses 32 random bytes. */
export const hashOf = (rawKey: string): Buffer => createHash("sha256").update(rawKey).digest();

/** What people recognise a key by; it opens nothing. */
export const prefixOf = (rawKey: string): string => rawKey.slice(0, 16);

/**
 * The key that these headers present, or null. `Authorization: Bearer sk-svc_…` is the only form: another case,
 * another space or another header is somebody else's.
 */
export function presentedKey(headers: Headers): string | null {
  const authorization = headers.get("authorization");
  return authorization?.startsWith(`Bearer ${rawKeyMark}`) ? authorization.slice("Bearer ".length) : null;
}
