import { appRouter } from "../app-router.ts";
import { Problem } from "../errors.ts";
import { createContext, rejectCrossSite, requestIdOf } from "./context.ts";
import { bodyLimits, readBody } from "./request-body.ts";
import { problemResponse } from "./rest/problem-response.ts";

/**
 * The address in a digest's `List-Unsubscribe`. Mail programs post to it (RFC 8058) without a session or a page of ours;
 * whoever opens it is led to the page that asks, because mail scanners open links, too.
 */
export async function handleUnsubscribe(request: Request): Promise<Response> {
  const requestId = requestIdOf(request.headers);
  const headers = { "cache-control": "no-store", "x-request-id": requestId };
  try {
    const { search, searchParams } = new URL(request.url);
    if (request.method === "GET" || request.method === "HEAD")
      return new Response(null, { status: 303, headers: { ...headers, location: `/unsubscribe${search}` } });
    if (request.method !== "POST")
      throw new Problem("method_not_allowed", "This path accepts GET and POST", {
        headers: { allow: "GET, HEAD, POST" },
      });
    const context = await createContext(request.headers, requestId);
    rejectCrossSite(request);
    const body = await readBody(request, bodyLimits.unsubscribe);
    // A form, or in the parts of one: nothing else in it matters.
    if (!/List-Unsubscribe/.test(body.toString()) || !/One-Click/.test(body.toString()))
      throw new Problem("invalid", "The body must be the form List-Unsubscribe=One-Click");
    await appRouter
      .createCaller(context)
      .notifications.unsubscribe({ token: searchParams.get("token") ?? "" });
    return new Response("Unsubscribed from the daily digest\n", { headers });
  } catch (error) {
    return problemResponse(error, requestId);
  }
}
