import { createHmac, timingSafeEqual } from "node:crypto";
import { derivedKey } from "../db/encryption.ts";
import type { UnsubscribeLinks } from "./channels/channel.ts";

/**
 * What ends a user's daily digest without a sign-in. The token names the user and is signed with a key that signs nothing
 * else, so it can do nothing else. It does not expire, because old emails have the link too; it stops working when
 * ENCRYPTION_KEY changes.
 */
const signatureOf = (userId: number) =>
  createHmac("sha256", derivedKey("unsubscribing from the daily digest"))
    .update(String(userId))
    .digest("base64url");

/** In the query, which is not logged. */
export function unsubscribeLinks(userId: number): UnsubscribeLinks {
  const query = `token=${userId}.${signatureOf(userId)}`;
  return { page: `/unsubscribe?${query}`, oneClick: `${unsubscribeRoute}?${query}` };
}

export const unsubscribeRoute = "/svc/unsubscribe";

/** The user that a token was made for; null if it was not made here. */
export function userOfToken(token: string): number | null {
  const [, id, given] = /^([1-9]\d{0,8})\.([\w-]{43})$/.exec(token) ?? [];
  if (id === undefined || given === undefined) return null;
  const isOurs = timingSafeEqual(Buffer.from(given), Buffer.from(signatureOf(Number(id))));
  return isOurs ? Number(id) : null;
}
