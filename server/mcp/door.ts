import { WebStandardStreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import type { SignedIn } from "../auth/principal.ts";
import { createContext, refuseCrossSite, requestIdOf } from "../context.ts";
import { Problem } from "../errors.ts";
import { bodyLimits } from "../request-body.ts";
import { problemResponse } from "../rest/dispatch.ts";
import { challenge } from "./discovery.ts";
import { refuseUnexpectedSender } from "./expected-sender.ts";
import { serverFor } from "./server.ts";

/**
 * The MCP door: Streamable HTTP without sessions. Every POST is a server of its own for whoever sends it, answered in
 * JSON; there is no stream to listen to, so nothing else than POST is answered.
 *
 * Who may not come in is told as by REST, in the same order; what a message has wrong, by JSON-RPC.
 */
export async function handleMcp(request: Request): Promise<Response> {
  const requestId = requestIdOf(request.headers);
  try {
    return await answer(request, await admittedContext(request, requestId));
  } catch (error) {
    const response = problemResponse(error, requestId);
    if (response.status === 401) response.headers.set("www-authenticate", challenge());
    return response;
  }
}

async function admittedContext(request: Request, requestId: string): Promise<SignedIn> {
  const { prefer: _, ...context } = await createContext(request.headers, requestId);
  const { principal } = context;
  if (!principal) throw new Problem("unauthenticated", "Authentication is required");
  refuseCrossSite(request);
  refuseUnexpectedSender(request);
  if (request.method !== "POST")
    throw new Problem("method_not_allowed", "This path answers POST", { headers: { allow: "POST" } });
  return { ...context, principal };
}

async function answer(request: Request, ctx: SignedIn): Promise<Response> {
  const transport = new WebStandardStreamableHTTPServerTransport({
    enableJsonResponse: true,
    maxRequestBodySize: bodyLimits.json,
  });
  const server = serverFor(ctx);
  await server.connect(transport as Transport);
  const response = await transport.handleRequest(request);
  response.headers.set("cache-control", "no-store");
  response.headers.set("x-request-id", ctx.requestId);
  return response;
}
