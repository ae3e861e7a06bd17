import { createHmac, timingSafeEqual } from "node:crypto";
import { derivedKey } from "../db/encryption.ts";
import { publicUrl } from "../env.ts";
import { addressOf } from "./channels/link.ts";

/**
 * Addresses of one notification's chart that chat services can fetch without a session. Each is signed, shows that picture
 * and nothing else, and ends after some days; by then, chat services have copies of their own.
 */
export const picturesRoute = "/svc/pictures";
const days = 7;

const signatureOf = (notificationId: number, until: number) =>
  createHmac("sha256", derivedKey("pictures in chat messages"))
    .update(`${notificationId}.${until}`)
    .digest("base64url");

/** null unless the service has an address that is encrypted on the way: a chat service would refuse any other. */
export function pictureAddress(notificationId: number, now = Date.now()): string | null {
  if (!publicUrl().startsWith("https:")) return null;
  const until = Math.floor(now / 1000) + days * 24 * 3600;
  return addressOf(
    `${picturesRoute}/${notificationId}.png?until=${until}&signature=${signatureOf(notificationId, until)}`,
  );
}

/** The notification whose chart an address shows; null if it has ended, or was not made here. */
export function notificationOfPicture(address: URL, now = Date.now()): number | null {
  const id = /\/([1-9]\d{0,8})\.png$/.exec(address.pathname)?.[1];
  const until = /^\d{1,12}$/.exec(address.searchParams.get("until") ?? "")?.[0];
  const given = /^[\w-]{43}$/.exec(address.searchParams.get("signature") ?? "")?.[0];
  if (!id || !until || !given || Number(until) * 1000 < now) return null;
  const isOurs = timingSafeEqual(Buffer.from(given), Buffer.from(signatureOf(Number(id), Number(until))));
  return isOurs ? Number(id) : null;
}
