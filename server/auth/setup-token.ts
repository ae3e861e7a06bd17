import { createHmac, timingSafeEqual } from "node:crypto";
import { env, publicUrl } from "../env.ts";

/**
 * Authorizes setup for whoever can read the service's output at startup, so that nobody else can be first on a
 * service that is reachable over a network.
 *
 * The token is derived from the secret that all processes of an installation share, so every process accepts it, also
 * after a restart. It is useless once a user exists.
 */
export function setupToken(): string {
  const secret = env().NEXTAUTH_SECRET;
  if (secret === undefined) throw new Error("NEXTAUTH_SECRET is not set");
  return createHmac("sha256", secret).update("plumbline set-up token").digest("base64url").slice(0, 32);
}

/** In the fragment, which browsers do not send and proxies do not log. */
export const setupAddress = () => `${publicUrl()}/setup#token=${setupToken()}`;

export function isSetupToken(given: string): boolean {
  const digest = (text: string) => createHmac("sha256", "compared in one length").update(text).digest();
  return timingSafeEqual(digest(given), digest(setupToken()));
}
