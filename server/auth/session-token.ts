import { createHash, randomBytes } from "node:crypto";

/** The content of a session cookie, encrypted: 32 random bytes in base64url. */
export const makeSessionToken = (): string => randomBytes(32).toString("base64url");

/** The stored hash. No salt or stretching: nobody can guess 32 random bytes. */
export const sessionTokenHash = (token: string): Buffer => createHash("sha256").update(token).digest();
