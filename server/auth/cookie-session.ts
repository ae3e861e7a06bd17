import type { Principal } from "./principal.ts";
import { endSession } from "./service/end-sessions.ts";
import { findSessionPrincipal } from "./service/find-session.ts";

/** Reads session cookies; `sessions.ts` creates them. */

/** The cookies that came with a request, by name. */
export function cookiesIn(headers: Headers): Record<string, string> {
  const cookies = headers.get("cookie");
  if (!cookies) return {};
  const pairs = cookies.split(";").map((pair) => pair.trim().split("="));
  return Object.fromEntries(pairs.map(([name = "", ...value]) => [name, decode(value.join("="))]));
}

function decode(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}

/** Loaded with the first cookie, not at startup. */
let jwt: typeof import("next-auth/jwt") | undefined;

/** The user and session of the session cookie in these headers, or null. */
export async function findCookiePrincipal(
  headers: Headers,
): Promise<(Principal & { sessionId: number }) | null> {
  const cookies = cookiesIn(headers);
  if (!Object.keys(cookies).some((name) => name.includes("next-auth.session-token"))) return null;
  jwt ??= await import("next-auth/jwt");
  const request = { cookies, headers: {} } as unknown as Parameters<typeof jwt.getToken>[0]["req"];
  const content = await jwt.getToken({ req: request });
  return typeof content?.session === "string" ? findSessionPrincipal(content.session) : null;
}

/** The session cookie that the response sets, as a browser would send it back; "" if it is cleared. */
export function sessionCookieIn(response: Response): string | null {
  const cookies = response.headers
    .getSetCookie()
    .map((cookie) => cookie.split(";")[0] ?? "")
    .filter((cookie) => cookie.includes("next-auth.session-token"));
  if (cookies.length === 0) return null;
  return cookies.filter((cookie) => !cookie.endsWith("=")).join("; ");
}

/** Ends the session of a browser that just lost its cookie by signing out or signing in again. */
export async function endFormerSession(
  former: { sessionId: number } | null,
  response: Response,
): Promise<void> {
  const cookie = sessionCookieIn(response);
  if (former && cookie !== null) await endSession(former.sessionId, cookie === "" ? "SignedOut" : "Replaced");
}
