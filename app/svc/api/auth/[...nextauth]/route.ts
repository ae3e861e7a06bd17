import { NextRequest } from "next/server";
import NextAuth from "next-auth";
import { recordAsSystem } from "@/server/audit/service.ts";
import { watchSignIn } from "@/server/audit/sign-ins.ts";
import { endFormerSession, findCookiePrincipal } from "@/server/auth/cookie-session.ts";
import { addressHeader } from "@/server/auth/principal.ts";
import { authOptions } from "@/server/auth/sessions.ts";
import { Problem } from "@/server/errors.ts";
import { refuseUnexpectedHost } from "@/server/expected-host.ts";
import { bodyLimits, withBody } from "@/server/request-body.ts";
import { limitRequests } from "@/server/request-limits.ts";
import { handleRest, problemResponse } from "@/server/rest/dispatch.ts";
import { sessionMethods } from "@/server/rest/session-paths.ts";

type RouteContext = { params: Promise<{ nextauth: string[] }> };

async function handle(received: NextRequest, context: RouteContext): Promise<Response> {
  const { nextauth } = await context.params;
  const isServed = sessionMethods[`/auth/${nextauth.join("/")}`]?.includes(received.method);
  // Everything else below /auth is a procedure like any other, or nothing.
  if (!isServed) return handleRest(received);
  const address = received.headers.get(addressHeader) ?? "";
  let request: NextRequest;
  try {
    await limitRequests({ principal: null, address });
    if (received.method === "POST") refuseUnexpectedHost(received);
    request = await withBody(received, bodyLimits.form, NextRequest);
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
  if (nextauth[0] === "session") return unrenewed(request, response);
  try {
    await endFormerSession(former, response);
    await record(response);
  } catch (error) {
    // Without an entry nobody gets in, and nobody is told that they are out: the answer with the cookie is withheld.
    return problemResponse(error);
  }
  return (await wasRateLimited(response)) ? tooMany() : response;
}

/**
 * What next-auth says of the cookie, as long as its session lives. It would renew the cookie with every look; how long
 * a session lasts is up to its row.
 */
async function unrenewed(request: NextRequest, response: Response): Promise<Response> {
  if (!(await findCookiePrincipal(request.headers))) return Response.json({});
  const headers = new Headers(response.headers);
  headers.delete("set-cookie");
  return new Response(response.body, { status: response.status, headers });
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

export {
  handle as GET,
  handle as POST,
  handleRest as DELETE,
  handleRest as OPTIONS,
  handleRest as PATCH,
  handleRest as PUT,
};
