import { WebStandardStreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import type { SignedIn } from "../../auth/principal.ts";
import { Problem } from "../../errors.ts";
import { createContext, rejectCrossSite, requestIdOf } from "../context.ts";
import { bodyLimits } from "../request-body.ts";
import { problemResponse } from "../rest/problem-response.ts";
import { challenge } from "./discovery.ts";
import { rejectUnexpectedSender } from "./expected-sender.ts";
import { serverFor } from "./server.ts";

/**
 * The MCP endpoint: Streamable HTTP without sessions. Every POST creates a server for its caller and gets a JSON
 * response; there is no stream, so other methods are rejected.
 *
 * Authentication fails as in REST, in the same order; protocol errors are JSON-RPC errors.
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
  rejectCrossSite(request);
  rejectUnexpectedSender(request);
  if (request.method !== "POST")
    throw new Problem("method_not_allowed", "This path accepts POST", { headers: { allow: "POST" } });
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
