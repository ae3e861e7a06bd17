import { z } from "zod";
import { log } from "../log.ts";
import type { Oidc } from "./oidc.ts";

/** Where the provider answers, and how (OpenID Connect Discovery 1.0). */
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
/** A provider that is away is not asked for again by every request. */
const restMs = 5_000;
const patienceMs = 5_000;

type Attempt = { issuer: string; result: Promise<Discovered | null>; until: number };

/** One per process, although several doors load this module. */
const shared = globalThis as { plumblineOidcDiscovery?: Attempt };

/**
 * What the provider says of itself, asked at first use and every ten minutes, so that a start never waits for it.
 * null while it cannot be reached or is not who it should be; the log says why.
 */
export async function discoverProvider({ issuer }: Pick<Oidc, "issuer">): Promise<Discovered | null> {
  const former = shared.plumblineOidcDiscovery;
  if (former?.issuer === issuer && former.until > Date.now()) return former.result;
  const attempt: Attempt = { issuer, result: discover(issuer), until: Date.now() + freshMs };
  shared.plumblineOidcDiscovery = attempt;
  const result = await attempt.result;
  if (!result) attempt.until = Date.now() + restMs;
  return result;
}

async function discover(issuer: string): Promise<Discovered | null> {
  try {
    const address = `${issuer.replace(/\/$/, "")}/.well-known/openid-configuration`;
    const response = await fetch(address, { redirect: "error", signal: AbortSignal.timeout(patienceMs) });
    if (!response.ok) throw new Error(`${address} answered ${response.status}`);
    const found = discovered.parse(await response.json());
    if (found.issuer !== issuer)
      throw new Error(`OIDC_ISSUER is ${issuer}, but the provider there is ${found.issuer}`);
    return found;
  } catch (err) {
    log.warn({ err }, "The OIDC provider cannot be used: nobody can sign in there, and no JWT counts");
    return null;
  }
}
