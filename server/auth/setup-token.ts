import { createHmac, timingSafeEqual } from "node:crypto";
import { env, publicUrl } from "../env.ts";

/**
 * Who may set up the service: whoever can read what it prints when it starts. It keeps others from being first on a
 * service that a network reaches.
 *
 * The token is derived from the secret that all processes of an installation share, so any of them takes the one that
 * any other has printed, and it is the same after a restart. It means nothing once somebody has an account.
 */
export function setupToken(): string {
  const secret = env().NEXTAUTH_SECRET;
  if (secret === undefined) throw new Error("NEXTAUTH_SECRET is not set");
  return createHmac("sha256", secret).update("plumbline set-up token").digest("base64url").slice(0, 32);
}

/** In the fragment, which no browser sends and no proxy writes into its log. */
export const setupAddress = () => `${publicUrl()}/setup#token=${setupToken()}`;

export function isSetupToken(given: string): boolean {
  const digest = (text: string) => createHmac("sha256", "compared in one length").update(text).digest();
  return timingSafeEqual(digest(given), digest(setupToken()));
}
