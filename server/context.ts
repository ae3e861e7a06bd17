import { randomUUID } from "node:crypto";
import { findKeyPrincipal } from "./api-keys/service/find-key-principal.ts";
import { recordAsSystem, recorderOf } from "./audit/service.ts";
import { findCookiePrincipal } from "./auth/cookie-session.ts";
import { findJwtPrincipal } from "./auth/jwt.ts";
import {
  addressHeader,
  type Change,
  type Context,
  claimedAddressHeader,
  localHeader,
  type Principal,
  requestIdHeader,
} from "./auth/principal.ts";
import { publicUrl } from "./env.ts";
import { Problem, problemIn } from "./errors.ts";
import { limitRequests } from "./request-limits.ts";
import { addToSurroundings } from "./telemetry/surroundings.ts";

/**
 * Who is calling: the principal of the first scheme that authenticates, or null. Where a cookie does, a key beside
 * it is neither judged nor used. Throws unauthenticated for a refused key, whatever was called, and rate_limited
 * for a caller of too many requests; every door begins here, so none is without a limit. A request that holds several
 * calls counts as that many.
 */
export async function createContext(
  headers: Headers,
  requestId = requestIdOf(headers),
  calls = 1,
): Promise<Context> {
  const address = headers.get(addressHeader) ?? "";
  const principal = await authenticate(headers, address);
  if (principal) addToSurroundings({ principal: whoIs(principal) });
  const isRefused = headers.get("authorization")?.startsWith("Bearer ") ?? false;
  await limitRequests({ principal, address, isRefused, calls });
  return {
    ...{ principal, requestId, address },
    claimedAddress: headers.get(claimedAddressHeader) ?? undefined,
    isLocal: headers.has(localHeader),
    ...preferIn(headers),
    ...recorderOf({ principal, address }),
  };
}

/** The id that the process has given the request; a new one where no process has. */
export const requestIdOf = (headers: Headers): string => headers.get(requestIdHeader) ?? randomUUID();

/** For the log: which user, and by which key. */
function whoIs({ kind, userId, keyId }: Principal) {
  return { kind, userId, ...(keyId !== undefined && { keyId }) };
}

async function authenticate(headers: Headers, address: string): Promise<Principal | null> {
  const record = (change: Change) => recordAsSystem(change, address);
  try {
    return (
      (await findCookiePrincipal(headers)) ??
      (await findKeyPrincipal(headers)) ??
      (await findJwtPrincipal(headers, record))
    );
  } catch (error) {
    if (problemIn(error)?.code === "unauthenticated")
      await limitRequests({ principal: null, address, isRefused: true });
    throw error;
  }
}

/** The preference (RFC 7240) that a procedure may honour. */
function preferIn(headers: Headers): Pick<Context, "prefer"> {
  const preferences = (headers.get("prefer") ?? "").split(",").map((each) => each.split(/[;=]/)[0]?.trim());
  if (preferences.includes("respond-async")) return { prefer: "respond-async" };
  return preferences.includes("wait") ? { prefer: "wait" } : {};
}

/**
 * Refuses a write that a cookie would authenticate and that another site's page has sent. Browsers say where a
 * request comes from; clients that send neither header (curl) pass.
 */
export function refuseCrossSite(request: Request): void {
  if (request.method === "GET" || request.method === "HEAD" || !request.headers.has("cookie")) return;
  const site = request.headers.get("sec-fetch-site");
  const origin = request.headers.get("origin");
  const isFromHere = !origin || isOwnOrigin(origin, request);
  if ((site && site !== "same-origin" && site !== "none") || !isFromHere)
    throw new Problem("forbidden", "A write with a cookie must come from the service's own pages");
}

/** Whether an Origin is the service's own: by its public address, or by the name under which it is called. */
export function isOwnOrigin(origin: string, request: Pick<Request, "headers">): boolean {
  if (origin === new URL(publicUrl()).origin) return true;
  return URL.canParse(origin) && new URL(origin).host === request.headers.get("host");
}
