import { recordAsSystem } from "../audit/service.ts";
import { watchSignIn } from "../audit/sign-ins.ts";
import { endFormerSession, findCookiePrincipal } from "../auth/cookie-session.ts";
import { callNextAuth } from "../auth/next-auth.ts";
import { rejectPasswordSignIn } from "../auth/password-sign-in.ts";
import type { SecondStep } from "../auth/service/second-sign-in-step.ts";
import { authOptions, type SignInNotes } from "../auth/sessions.ts";
import { Problem } from "../errors.ts";
import { addressHeader } from "../request-headers.ts";
import { rejectUnexpectedHost } from "./expected-host.ts";
import { bodyLimits, withBody } from "./request-body.ts";
import { limitRequests } from "./request-limits.ts";
import { handleRest } from "./rest/dispatch.ts";
import { problemResponse } from "./rest/problem-response.ts";
import { sessionMethods } from "./rest/session-paths.ts";

/** The base path of the sign-in endpoints. */
export const sessionRoot = "/svc/api/auth";

/** Serves next-auth's endpoints, and passes all other paths on to the REST API. */
export async function handleSession(received: Request): Promise<Response> {
  const path = new URL(received.url).pathname.slice(sessionRoot.length + 1).split("/");
  const { method } = received;
  const served = sessionMethods[`/auth/${path.join("/")}`] ?? [];
  // Everything else below it is a procedure, or a 404.
  if (!served.includes(method)) return handleRest(received);
  const address = received.headers.get(addressHeader) ?? "";
  try {
    await limitRequests({ principal: null, address });
    if (method === "POST") rejectUnexpectedHost(received);
    return await answer(await withBody(received, bodyLimits.form), path, address);
  } catch (error) {
    return problemResponse(error);
  }
}

async function answer(request: Request, path: string[], address: string): Promise<Response> {
  const [action, provider] = path;
  if (passwordProviders.includes(provider ?? "")) rejectPasswordSignIn();
  const mayLeave = action === "callback" || (request.method === "POST" && action === "signout");
  const former = mayLeave ? await findCookiePrincipal(request.headers) : null;
  const notes: SignInNotes = {};
  const record = watchSignIn(request, path, { former, notes });
  const options = await authOptions({
    provider,
    headers: request.headers,
    record: (change) => recordAsSystem(change, address),
    notes,
  });
  const response = await callNextAuth(request, path, options);
  if (action === "session") return unrenewed(request, response);
  await endFormerSession(former, response);
  // If the audit entry fails, the response with the cookie is withheld: nobody signs in unrecorded, or believes they
  // have signed out.
  await record(response);
  if (notes.step) return withStep(response, notes.step);
  return (await wasRateLimited(response)) ? tooMany() : response;
}

/** The providers that take a password, or what belongs to it. */
const passwordProviders = ["credentials", "second-factor", "passkey"];

/** Adds what the second step needs, in the body alone: a URL would end up in histories and logs. */
async function withStep(response: Response, secondFactor: SecondStep): Promise<Response> {
  if (response.status !== 401) return response;
  const headers = new Headers(response.headers);
  const body = (await response.json()) as object;
  return Response.json({ ...body, secondFactor }, { status: 401, headers });
}

/**
 * Keeps the cookie as long as its session lives. next-auth would renew the cookie on every request; the row decides
 * how long a session lasts.
 */
async function unrenewed(request: Request, response: Response): Promise<Response> {
  if (!(await findCookiePrincipal(request.headers))) return Response.json({});
  const headers = new Headers(response.headers);
  headers.delete("set-cookie");
  return new Response(response.body, { status: response.status, headers });
}

/** next-auth returns every failure as a 401 with a URL; too many attempts get their own status. */
async function wasRateLimited(response: Response): Promise<boolean> {
  if (response.status !== 401) return false;
  return (await response.clone().text()).includes("error=RateLimited");
}

const tooMany = () =>
  problemResponse(
    new Problem("rate_limited", "Too many sign-in attempts; try again later", {
      headers: { "retry-after": "900" },
    }),
  );
