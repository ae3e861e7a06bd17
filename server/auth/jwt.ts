import {
  createRemoteJWKSet,
  decodeJwt,
  decodeProtectedHeader,
  errors,
  type JWTPayload,
  jwtVerify,
} from "jose";
import { log } from "../log.ts";
import { configuredOidc, type Oidc } from "./oidc.ts";
import { identityOf } from "./oidc-claims.ts";
import { type Discovered, discoverProvider } from "./oidc-discovery.ts";
import type { Context, Principal } from "./principal.ts";
import { admitCaller } from "./service/admit.ts";

/** Asymmetric ones alone: by none of them can anybody sign with what the provider makes public. */
const algorithms = [
  ...["RS256", "RS384", "RS512", "PS256", "PS384", "PS512"],
  ...["ES256", "ES384", "ES512", "EdDSA", "Ed25519"],
];

/** Access tokens and ID tokens; not, for one, a logout token, which is signed by the same keys. */
const types = [undefined, "jwt", "at+jwt", "application/at+jwt"];

/**
 * Who a JWT of the configured provider stands for, or null: `Authorization: Bearer <jwt>`. Everything about it is
 * judged anew on every request, the role too, which is what its claims give by today's mapping.
 *
 * Whatever is wrong with it, its caller is simply nobody. The log says why; what a stranger made up, only at debug.
 */
export async function findJwtPrincipal(
  headers: Headers,
  record: NonNullable<Context["record"]>,
): Promise<Principal | null> {
  const oidc = configuredOidc();
  const token = oidc && presentedJwt(headers.get("authorization"));
  if (!oidc || !token || !claimsToFit(token, oidc)) return null;
  const provider = await discoverProvider(oidc);
  const claims = provider && (await verifiedClaims(token, oidc, provider));
  const identity = claims && identityOf(claims, oidc);
  if (!identity) return null;
  const admission = await admitCaller(identity, record);
  if ("refusal" in admission) {
    log.debug({ subject: identity.subject, refusal: admission.refusal }, "A JWT was refused");
    return null;
  }
  const { user, role } = admission;
  return { kind: "Jwt", userId: user.id, name: user.name, role, scopes: null, projectIds: null };
}

function presentedJwt(authorization: string | null): string | null {
  return /^Bearer ([\w-]+\.[\w-]+\.[\w-]+)$/.exec(authorization ?? "")?.[1] ?? null;
}

/** Without a look at the signature: what cannot be right shall not make the service ask the provider for keys. */
function claimsToFit(token: string, { issuer }: Oidc): boolean {
  try {
    const { alg, typ } = decodeProtectedHeader(token);
    return (
      algorithms.includes(alg ?? "") && types.includes(typ?.toLowerCase()) && decodeJwt(token).iss === issuer
    );
  } catch {
    return false;
  }
}

async function verifiedClaims(token: string, oidc: Oidc, provider: Discovered): Promise<JWTPayload | null> {
  const keys = keysOf(provider);
  if (keys.restUntil > Date.now()) return null;
  try {
    const { payload } = await jwtVerify(token, keys.find, {
      issuer: oidc.issuer,
      audience: oidc.audience,
      algorithms,
      requiredClaims: ["exp", "sub"],
      clockTolerance: 5,
    });
    // Bound to a key or a certificate that its caller would have to prove, which a bearer does not.
    return payload.cnf === undefined ? payload : null;
  } catch (err) {
    if (isAboutToken(err)) log.debug({ err }, "A JWT was refused");
    else {
      keys.restUntil = Date.now() + restMs;
      log.warn({ err }, "The OIDC provider's keys cannot be read: no JWT counts");
    }
    return null;
  }
}

/** Whether the token is at fault, or names a key that the provider does not have; else it is the provider. */
function isAboutToken(error: unknown): boolean {
  const isProvidersFault = error instanceof errors.JWKSTimeout || error instanceof errors.JWKSInvalid;
  return error instanceof errors.JOSEError && error.code !== "ERR_JOSE_GENERIC" && !isProvidersFault;
}

type Keys = { from: string; find: ReturnType<typeof createRemoteJWKSet>; restUntil: number };
const shared = globalThis as { plumblineOidcKeys?: Keys };

/** A provider whose keys could not be read is not asked again by every request. */
const restMs = 5_000;

/** The provider's keys, asked for once in ten minutes, and for one that is new at most every thirty seconds. */
function keysOf({ jwks_uri }: Discovered): Keys {
  const known = shared.plumblineOidcKeys;
  if (known?.from === jwks_uri) return known;
  const keys: Keys = { from: jwks_uri, find: createRemoteJWKSet(new URL(jwks_uri)), restUntil: 0 };
  shared.plumblineOidcKeys = keys;
  return keys;
}
