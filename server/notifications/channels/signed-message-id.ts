import { createHmac, timingSafeEqual } from "node:crypto";
import { derivedKey } from "../../db/encryption.ts";

/**
 * A message's id as its buttons carry it. Signed: whoever presses one is shown the message again, and may not choose
 * another.
 */
export const signedMessageId = (id: string): string => `${id}.${signatureOf(id)}`;

const signatureOf = (id: string) =>
  createHmac("sha256", derivedKey("messages with buttons")).update(id).digest("base64url");

/** null for what was not signed here. */
export function messageIdIn(signed: string): string | null {
  const [, id, given] = /^(dlv_[1-9]\d{0,8}_\w{1,20})\.([\w-]{43})$/.exec(signed) ?? [];
  if (!id || !given) return null;
  return timingSafeEqual(Buffer.from(given), Buffer.from(signatureOf(id))) ? id : null;
}
