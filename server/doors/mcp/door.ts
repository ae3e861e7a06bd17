import { WebStandardStreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import {
  classifyInboundRequest,
  type InboundHttpRequest,
  type InboundLadderRejection,
  isJsonContentType,
} from "@modelcontextprotocol/server";
import { requireSecondFactor, type SignedIn } from "../../auth/principal.ts";
import { Problem, problemIn } from "../../errors.ts";
import { createContext, rejectCrossSite, requestIdOf } from "../context.ts";
import { bodyLimits, readBody } from "../request-body.ts";
import { problemResponse } from "../rest/problem-response.ts";
import { challenge } from "./discovery.ts";
import { rejectUnexpectedSender } from "./expected-sender.ts";
import { answerPlainCall } from "./plain-call.ts";
import { serverFor } from "./server.ts";
import { answerStateless, json } from "./stateless.ts";

/**
 * The MCP endpoint: Streamable HTTP without sessions, in every revision of the protocol since 2025-03-26. Every POST
 * gets a JSON response; there is no stream, so other methods are rejected.
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
  requireSecondFactor(principal);
  rejectCrossSite(request);
  rejectUnexpectedSender(request);
  if (request.method !== "POST")
    throw new Problem("method_not_allowed", "This path accepts POST", { headers: { allow: "POST" } });
  return { ...context, principal };
}

async function answer(request: Request, ctx: SignedIn): Promise<Response> {
  const response = await answerMessage(request, ctx);
  response.headers.set("cache-control", "no-store");
  response.headers.set("x-request-id", ctx.requestId);
  return response;
}

/** Each message says by itself which revision it is of. */
async function answerMessage(request: Request, ctx: SignedIn): Promise<Response> {
  // It is refused there, before its body is read.
  if (!isJsonContentType(request.headers.get("content-type"))) return answerConnected(request, ctx);
  const text = await bodyOf(request);
  if (text instanceof Response) return text;
  const body = parsed(text);
  const route = classifyInboundRequest({
    httpMethod: request.method,
    protocolVersionHeader: request.headers.get("mcp-protocol-version") ?? undefined,
    mcpMethodHeader: request.headers.get("mcp-method") ?? undefined,
    mcpNameHeader: request.headers.get("mcp-name") ?? undefined,
    body,
  } as InboundHttpRequest);
  if (route.kind === "modern") return answerStateless(ctx, request.headers, route);
  if (route.kind === "reject" && isOfThisRevision(route)) return rejected(route, text);
  const plain = await answerPlainCall(ctx, request.headers, body);
  // What is no message at all is refused there, too.
  return plain ?? answerConnected(request, ctx, body);
}

const isOfThisRevision = ({ rung, cell }: InboundLadderRejection) =>
  rung !== "jsonrpc-shape" || cell === "batch-with-modern-element";

/** The body, or the answer to one that cannot be read. */
async function bodyOf(request: Request): Promise<string | Response> {
  try {
    return (await readBody(request, bodyLimits.json)).toString("utf8");
  } catch (error) {
    const tooLarge = problemIn(error)?.code === "too_large";
    return tooLarge
      ? json(413, { id: null, error: { code: -32000, message: (error as Error).message } })
      : json(400, { id: null, error: { code: -32700, message: "The body could not be read" } });
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function rejected({ httpStatus, code, message, data }: InboundLadderRejection, text: string): Response {
  const { id } = parsed(text) as { id?: unknown };
  const known = typeof id === "string" || typeof id === "number" ? id : null;
  return json(httpStatus, { id: known, error: { code, message, ...(data !== undefined && { data }) } });
}

/** The revisions up to 2025-11-25, whose clients connect first. No session is kept. */
async function answerConnected(request: Request, ctx: SignedIn, parsedBody?: unknown): Promise<Response> {
  const transport = new WebStandardStreamableHTTPServerTransport({
    enableJsonResponse: true,
    maxRequestBodySize: bodyLimits.json,
  });
  const server = serverFor(ctx);
  await server.connect(transport as Transport);
  return transport.handleRequest(request, { parsedBody });
}
