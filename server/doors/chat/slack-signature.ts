import { createHmac, timingSafeEqual } from "node:crypto";

/** Slack's signatures of requests, version v0. Pure. */

/** How far the time of a request may be off. */
const maxSeconds = 5 * 60;

type Signed = { timestamp: string | null; signature: string | null; body: Buffer };

/** `v0=` and the HMAC of version, time, and body, in hexadecimal. */
export const slackSignatureOf = ({ timestamp, body }: { timestamp: string; body: Buffer }, secret: string) =>
  `v0=${createHmac("sha256", secret).update(`v0:${timestamp}:`).update(body).digest("hex")}`;

/** Whether a request was signed with this secret, in the last minutes. */
export function isSignedBySlack({ timestamp, signature, body }: Signed, secret: string, now = Date.now()) {
  if (!/^\d{1,12}$/.test(timestamp ?? "") || !/^v0=[0-9a-f]{64}$/.test(signature ?? "")) return false;
  if (Math.abs(now / 1000 - Number(timestamp)) > maxSeconds) return false;
  const ours = slackSignatureOf({ timestamp: timestamp ?? "", body }, secret);
  return timingSafeEqual(Buffer.from(ours), Buffer.from(signature ?? ""));
}
