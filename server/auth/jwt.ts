import {
  createRemoteJWKSet,
  decodeJwt,
  decodeProtectedHeader,
  errors,
  type JWTPayload,
  jwtVerify,
} from "jose";
import { log } from "../telemetry/log.ts";
import { configuredOidc, type Oidc } from "./oidc.ts";
import { identityOf } from "./oidc-claims.ts";
import { type Discovered, discoverProvider } from "./oidc-discovery.ts";
import { accessOf, type Context, type Principal } from "./principal.ts";
import { admitCaller } from "./service/admit.ts";

/** Only asymmetric algorithms: with those, nobody can sign with a public key. */
const algorithms = [
  ...["RS256", "RS384", "RS512", "PS256", "PS384", "PS512"],
  ...["ES256", "ES384", "ES512", "EdDSA", "Ed25519"],
];

/** Access tokens and ID tokens, not, for example, logout tokens signed with the same keys. */
const types = [undefined, "jwt", "at+jwt", "application/at+jwt"];

/**
 * The principal of a JWT of the configured provider (`Authorization: Bearer <jwt>`), or null. Everything is checked
 * again on every request, including the role that its claims map to.
 *
 * An invalid token is simply unauthenticated. The log says why, but only at debug for tokens that anyone could have
 * made up.
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
    log.debug({ subject: identity.subject, refusal: admission.refusal }, "A JWT was rejected");
    return null;
  }
  const { user, access } = admission;
  const { role, projectRoles } = access;
  return {
    kind: "Jwt",
    userId: user.id,
    name: user.name,
    scopes: null,
    ...accessOf(role, projectRoles),
  };
}

function presentedJwt(authorization: string | null): string | null {
  return /^Bearer ([\w-]+\.[\w-]+\.[\w-]+)$/.exec(authorization ?? "")?.[1] ?? null;
}

/** Checked before the signature: tokens that cannot be valid must not make the service fetch keys. */
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
    // Bound to a key or certificate that the caller would have to prove, which a bearer token does not.
    return payload.cnf === undefined ? payload : null;
  } catch (err) {
    if (isAboutToken(err)) log.debug({ err }, "A JWT was rejected");
    else {
      keys.restUntil = Date.now() + restMs;
      log.warn({ err }, "The OIDC provider's keys cannot be read: JWTs are rejected");
    }
    return null;
  }
}

/** Whether the token is at fault or names an unknown key; otherwise the provider is. */
function isAboutToken(error: unknown): boolean {
  const isProvidersFault = error instanceof errors.JWKSTimeout || error instanceof errors.JWKSInvalid;
  return error instanceof errors.JOSEError && error.code !== "ERR_JOSE_GENERIC" && !isProvidersFault;
}

type Keys = { from: string; find: ReturnType<typeof createRemoteJWKSet>; restUntil: number };
let known: Keys | undefined;

/** If the provider's keys cannot be read, not every request tries again. */
const restMs = 5_000;

/** The provider's keys, cached for ten minutes; for an unknown key, refetched at most every thirty seconds. */
function keysOf({ jwks_uri }: Discovered): Keys {
  if (known?.from === jwks_uri) return known;
  known = { from: jwks_uri, find: createRemoteJWKSet(new URL(jwks_uri)), restUntil: 0 };
  return known;
}
