import { getToken } from "next-auth/jwt";
import type { Principal } from "./principal.ts";
import { findSessionPrincipal } from "./service/sign-in.ts";

/** Reads session cookies; apart from what makes them, which loads only within Next. */

function cookiesIn(headers: Headers): Record<string, string> {
  const pairs = (headers.get("cookie") ?? "").split(";").map((pair) => pair.trim().split("="));
  return Object.fromEntries(pairs.map(([name = "", ...value]) => [name, decode(value.join("="))]));
}

function decode(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}

/** A session by cookie: whose, of which epoch of theirs, and until when, in milliseconds since 1970. */
export type CookieSession = { principal: Principal; sessionEpoch: number; expiresAt: number };

/** The session whose cookie is among these headers, or null. */
export async function findCookieSession(headers: Headers): Promise<CookieSession | null> {
  const cookies = cookiesIn(headers);
  if (!Object.keys(cookies).some((name) => name.includes("next-auth.session-token"))) return null;
  const request = { cookies, headers: {} } as unknown as Parameters<typeof getToken>[0]["req"];
  const token = await getToken({ req: request });
  if (!token?.sub || typeof token.sessionEpoch !== "number") return null;
  const { sessionEpoch, exp } = token;
  const principal = await findSessionPrincipal(Number(token.sub), sessionEpoch);
  return principal && { principal, sessionEpoch, expiresAt: Number(exp) * 1000 };
}

/** Who the session cookie among these headers belongs to, or null. */
export async function findCookiePrincipal(headers: Headers): Promise<Principal | null> {
  return (await findCookieSession(headers))?.principal ?? null;
}
