import { createHash, randomBytes } from "node:crypto";

/** What a session's cookie carries, encrypted: 32 random bytes, in base64url. */
export const makeSessionToken = (): string => randomBytes(32).toString("base64url");

/** All that is stored of it. Without salt or stretching: nobody guesses 32 random bytes. */
export const sessionTokenHash = (token: string): Buffer => createHash("sha256").update(token).digest();
