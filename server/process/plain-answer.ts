import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from "node:http";
import { type ProblemCode, problems } from "../errors.ts";

/** Responses that the process sends before Next sees the request, as RFC 9457 problems. */

export function sendProblem(
  request: IncomingMessage,
  response: ServerResponse,
  code: ProblemCode,
  detail: string,
  headers: OutgoingHttpHeaders = {},
  more: Record<string, unknown> = {},
): void {
  const { status, title } = problems[code];
  const body = { type: `/docs/api#problem-${code}`, title, status, detail, ...more };
  sendJson(request, response, status, body, { "content-type": "application/problem+json", ...headers });
}

export function sendJson(
  request: IncomingMessage,
  response: ServerResponse,
  status: number,
  body: Record<string, unknown>,
  headers: OutgoingHttpHeaders = {},
): void {
  // The client has gone away.
  if (response.destroyed) return;
  const text = JSON.stringify(body);
  response.writeHead(status, {
    "content-type": "application/json",
    "content-length": Buffer.byteLength(text),
    "cache-control": "no-store",
    ...headers,
  });
  response.end(request.method === "HEAD" ? undefined : text);
}
