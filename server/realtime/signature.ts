import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import type { HubCredentials } from "./credentials.ts";

/** The signatures of the Pusher protocol: HMAC-SHA256 in hexadecimal. */
const sign = (text: string, secret: string) => createHmac("sha256", secret).update(text).digest("hex");

/** Takes constant time, so that timing does not reveal how much of a guess was right. */
function isSame(given: string, expected: string): boolean {
  const digest = (text: string) => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(given), digest(expected));
}

/** The signature in a client's `pusher:signin`: only valid for this socket and user. */
export function signUser(socketId: string, userData: string, { key, secret }: HubCredentials): string {
  return `${key}:${sign(`${socketId}::user::${userData}`, secret)}`;
}

export function isSignedUser(
  { socketId, userData, auth }: { socketId: string; userData: string; auth: string },
  credentials: HubCredentials,
): boolean {
  return isSame(auth, signUser(socketId, userData, credentials));
}

export type SignedRequest = { method: string; path: string; query: URLSearchParams; body: string };

/** The maximum clock difference between a publisher and this process, in seconds. */
const clockTolerance = 600;

/** Why a request to the server API is rejected, or null. */
export function requestRefusal(
  { method, path, query, body }: SignedRequest,
  { key, secret }: HubCredentials,
  now = Date.now(),
): string | null {
  const given = (name: string) => query.get(name) ?? "";
  if (!isSame(given("auth_key"), key)) return "Unknown auth_key";
  if (given("auth_version") !== "1.0") return "auth_version must be 1.0";
  const timestamp = given("auth_timestamp");
  if (!/^\d{1,12}$/.test(timestamp) || Math.abs(now / 1000 - Number(timestamp)) > clockTolerance)
    return `auth_timestamp is not within ${clockTolerance} s of the server's clock`;
  if (new Set(query.keys()).size !== query.size) return "A parameter is given twice";
  const signed = [...query]
    .filter(([name]) => name !== "auth_signature")
    .map(([name, value]) => `${name.toLowerCase()}=${value}`)
    .sort()
    .join("&");
  const expected = sign([method, path, signed].join("\n"), secret);
  if (!isSame(given("auth_signature"), expected)) return "auth_signature is wrong";
  const md5 = createHash("md5").update(body).digest("hex");
  return isSame(given("body_md5"), md5) ? null : "body_md5 does not match the body";
}
