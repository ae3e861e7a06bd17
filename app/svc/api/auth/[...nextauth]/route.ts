import { after, type NextRequest } from "next/server";
import NextAuth from "next-auth";
import { recordAsSystem } from "@/server/audit/service.ts";
import { watchSignIn } from "@/server/audit/sign-ins.ts";
import { findCookiePrincipal } from "@/server/auth/cookie-session.ts";
import { addressHeader } from "@/server/auth/principal.ts";
import { authOptions } from "@/server/auth/sessions.ts";
import { Problem } from "@/server/errors.ts";
import { resignUser } from "@/server/realtime/service.ts";
import { limitRequests } from "@/server/request-limits.ts";
import { handleRest, problemResponse } from "@/server/rest/dispatch.ts";

type RouteContext = { params: Promise<{ nextauth: string[] }> };

/** What next-auth serves; everything else below /auth is a procedure like any other. */
const served = new Set(["csrf", "callback", "signout", "session", "signin", "error"]);

async function handle(request: NextRequest, context: RouteContext): Promise<Response> {
  const { nextauth } = await context.params;
  if (!served.has(nextauth[0] ?? "")) return handleRest(request);
  const address = request.headers.get(addressHeader) ?? "";
  try {
    await limitRequests({ principal: null, address });
    refuseLargeForm(request);
  } catch (error) {
    return problemResponse(error);
  }
  const isLeaving = request.method === "POST" && nextauth[0] === "signout";
  const leaver = isLeaving ? await findCookiePrincipal(request.headers) : null;
  const record = watchSignIn(request, nextauth);
  const options = await authOptions({
    provider: nextauth[1],
    record: (change) => recordAsSystem(change, address),
  });
  const response: Response = await NextAuth(options)(request, context);
  try {
    await record(response);
  } catch (error) {
    // Without an entry nobody gets in: the answer with the cookie is withheld.
    return problemResponse(error);
  }
  // Other tabs of this browser lose the session as well, and shall not go on listening.
  if (leaver) after(() => resignUser(leaver.userId));
  return (await wasRateLimited(response)) ? tooMany() : response;
}

const largestForm = 16 * 1024;

/** next-auth reads a body whole, so only one that says its length, and is no longer than a form, reaches it. */
function refuseLargeForm({ method, body, headers }: NextRequest): void {
  if (method !== "POST" || body === null) return;
  const length = headers.get("content-length");
  if (length === null || Number(length) > largestForm)
    throw new Problem("too_large", "The form is larger than 16 kB, or does not say its length");
}

/** next-auth tells every refusal as a 401 with a URL; too many attempts have a status of their own. */
async function wasRateLimited(response: Response): Promise<boolean> {
  if (response.status !== 401) return false;
  return (await response.clone().text()).includes("error=RateLimited");
}

const tooMany = () =>
  problemResponse(
    new Problem("rate_limited", "Too many attempts to sign in; try again later", {
      headers: { "retry-after": "900" },
    }),
  );

export { handle as GET, handle as POST, handleRest as DELETE, handleRest as PATCH, handleRest as PUT };
