import { randomUUID } from "node:crypto";
import { findKeyPrincipal } from "../api-keys/service/find-key-principal.ts";
import { recorderOf, recordRefusedCredential } from "../audit/recorder.ts";
import { recordAsSystem } from "../audit/service.ts";
import { findCookiePrincipal } from "../auth/cookie-session.ts";
import { findJwtPrincipal } from "../auth/jwt.ts";
import type { Change, Context, Principal } from "../auth/principal.ts";
import { publicUrl } from "../env.ts";
import { Problem, problemIn } from "../errors.ts";
import { addressHeader, claimedAddressHeader, localHeader, requestIdHeader } from "../request-headers.ts";
import { addToWorkContext } from "../telemetry/work-context.ts";
import { limitRequests } from "./request-limits.ts";

/**
 * The caller: the principal of the first scheme that authenticates, or null. If a cookie does, a key is ignored.
 * Throws unauthenticated for an invalid key, whatever was called, and rate_limited after too many requests. Every API
 * starts here, so all are limited. A batch counts as several requests.
 */
export async function createContext(
  headers: Headers,
  requestId = requestIdOf(headers),
  calls = 1,
): Promise<Context> {
  const address = headers.get(addressHeader) ?? "";
  const principal = await authenticate(headers, address);
  if (principal) addToWorkContext({ principal: whoIs(principal) });
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

/** The id that the process assigned to the request, or a new one. */
export const requestIdOf = (headers: Headers): string => headers.get(requestIdHeader) ?? randomUUID();

/** For the log: the user, and the key if one was used. */
function whoIs({ kind, userId, keyId }: Principal) {
  return { kind, userId, ...(keyId !== undefined && { keyId }) };
}

async function authenticate(headers: Headers, address: string): Promise<Principal | null> {
  const record = (change: Change) => recordAsSystem(change, address);
  try {
    return (
      (await findCookiePrincipal(headers)) ??
      (await findKeyPrincipal(headers, address)) ??
      (await findJwtPrincipal(headers, record))
    );
  } catch (error) {
    if (problemIn(error)?.code === "unauthenticated") {
      await limitRequests({ principal: null, address, isRefused: true });
      await recordRefusedCredential(address);
    }
    throw error;
  }
}

/** The preference (RFC 7240) that a procedure may honor. */
function preferIn(headers: Headers): Pick<Context, "prefer"> {
  const preferences = (headers.get("prefer") ?? "").split(",").map((each) => each.split(/[;=]/)[0]?.trim());
  if (preferences.includes("respond-async")) return { prefer: "respond-async" };
  return preferences.includes("wait") ? { prefer: "wait" } : {};
}

/**
 * Rejects cookie-authenticated writes from other sites' pages (CSRF). Browsers say where a request comes from;
 * clients that send neither header (curl) pass.
 */
export function rejectCrossSite(request: Request): void {
  if (request.method === "GET" || request.method === "HEAD" || !request.headers.has("cookie")) return;
  const site = request.headers.get("sec-fetch-site");
  const origin = request.headers.get("origin");
  const isFromHere = !origin || isOwnOrigin(origin, request);
  if ((site && site !== "same-origin" && site !== "none") || !isFromHere)
    throw new Problem("forbidden", "Cookie-authenticated writes must come from the service's own pages");
}

/** Whether an Origin is the service's own: its public URL, or the host of the request. */
export function isOwnOrigin(origin: string, request: Pick<Request, "headers">): boolean {
  if (origin === new URL(publicUrl()).origin) return true;
  return URL.canParse(origin) && new URL(origin).host === request.headers.get("host");
}
