import type { NextRequest } from "next/server";
import NextAuth from "next-auth";
import { recordAsSystem } from "@/server/audit/service.ts";
import { watchSignIn } from "@/server/audit/sign-ins.ts";
import { endFormerSession, findCookiePrincipal } from "@/server/auth/cookie-session.ts";
import { addressHeader } from "@/server/auth/principal.ts";
import { authOptions } from "@/server/auth/sessions.ts";
import { Problem } from "@/server/errors.ts";
import { limitRequests } from "@/server/request-limits.ts";
import { handleRest, problemResponse } from "@/server/rest/dispatch.ts";

type RouteContext = { params: Promise<{ nextauth: string[] }> };

/**
 * What next-auth serves; everything else below /auth is a procedure like any other. Not its `session`, which would
 * renew the cookie: how long a session lasts is up to its row.
 */
const served = new Set(["csrf", "callback", "signout", "signin", "error"]);

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
  const mayLeave = nextauth[0] === "callback" || (request.method === "POST" && nextauth[0] === "signout");
  const former = mayLeave ? await findCookiePrincipal(request.headers) : null;
  const record = watchSignIn(request, nextauth, former);
  const options = await authOptions({
    provider: nextauth[1],
    headers: request.headers,
    record: (change) => recordAsSystem(change, address),
  });
  const response: Response = await NextAuth(options)(request, context);
  try {
    await endFormerSession(former, response);
    await record(response);
  } catch (error) {
    // Without an entry nobody gets in, and nobody is told that they are out: the answer with the cookie is withheld.
    return problemResponse(error);
  }
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
