import { randomUUID } from "node:crypto";
import { findKeyPrincipal } from "./api-keys/service.ts";
import { recorderOf } from "./audit/service.ts";
import { addressHeader, type Context } from "./auth/principal.ts";
import { findCookiePrincipal } from "./auth/sessions.ts";
import { publicUrl } from "./env.ts";
import { Problem } from "./errors.ts";

/**
 * Who is calling: the principal of the first scheme that authenticates, or null. Where a cookie does, a key beside
 * it is neither judged nor used. Throws unauthenticated for a refused key, whatever was called.
 */
export async function createContext(headers: Headers, requestId: string = randomUUID()): Promise<Context> {
  const principal = (await findCookiePrincipal(headers)) ?? (await findKeyPrincipal(headers));
  const address = headers.get(addressHeader) ?? "";
  return { principal, requestId, address, ...preferIn(headers), ...recorderOf({ principal, address }) };
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
  const isOwnOrigin = !origin || isOwn(origin, request);
  if ((site && site !== "same-origin" && site !== "none") || !isOwnOrigin)
    throw new Problem("forbidden", "A write with a cookie must come from the service's own pages");
}

function isOwn(origin: string, request: Request): boolean {
  if (origin === new URL(publicUrl()).origin) return true;
  return URL.canParse(origin) && new URL(origin).host === request.headers.get("host");
}
