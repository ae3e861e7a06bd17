import { z } from "zod";
import { log } from "../telemetry/log.ts";
import type { Oidc } from "./oidc.ts";

/** The provider's endpoints (OpenID Connect Discovery 1.0). */
const discovered = z.object({
  issuer: z.string(),
  authorization_endpoint: z.url(),
  token_endpoint: z.url(),
  userinfo_endpoint: z.url().optional(),
  jwks_uri: z.url(),
  id_token_signing_alg_values_supported: z.array(z.string()).default(["RS256"]),
  token_endpoint_auth_methods_supported: z.array(z.string()).default(["client_secret_basic"]),
});
export type Discovered = z.infer<typeof discovered>;

const freshMs = 10 * 60_000;
/** If the provider is down, not every request tries again. */
const restMs = 5_000;
const timeoutMs = 5_000;

type Attempt = { issuer: string; result: Promise<Discovered | null>; until: number };

let last: Attempt | undefined;

/**
 * The provider's metadata, fetched on first use and every ten minutes, so that startup never waits for it. null if
 * the provider is unreachable or has the wrong issuer; the log says why.
 */
export async function discoverProvider({ issuer }: Pick<Oidc, "issuer">): Promise<Discovered | null> {
  if (last?.issuer === issuer && last.until > Date.now()) return last.result;
  const attempt: Attempt = { issuer, result: discover(issuer), until: Date.now() + freshMs };
  last = attempt;
  const result = await attempt.result;
  if (!result) attempt.until = Date.now() + restMs;
  return result;
}

async function discover(issuer: string): Promise<Discovered | null> {
  try {
    const address = `${issuer.replace(/\/$/, "")}/.well-known/openid-configuration`;
    const response = await fetch(address, { redirect: "error", signal: AbortSignal.timeout(timeoutMs) });
    if (!response.ok) throw new Error(`${address} answered ${response.status}`);
    const found = discovered.parse(await response.json());
    if (found.issuer !== issuer)
      throw new Error(`OIDC_ISSUER is ${issuer}, but the provider identifies itself as ${found.issuer}`);
    return found;
  } catch (err) {
    log.warn({ err }, "The OIDC provider cannot be used: sign-in with it fails and JWTs are rejected");
    return null;
  }
}
