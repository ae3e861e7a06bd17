import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from "node:http";
import { type ProblemCode, problems } from "./errors.ts";

/** Answers that the process gives before Next sees the request, in the form of the REST door's (RFC 9457). */

export function answerProblem(
  request: IncomingMessage,
  response: ServerResponse,
  code: ProblemCode,
  detail: string,
  headers: OutgoingHttpHeaders = {},
  more: Record<string, unknown> = {},
): void {
  const { status, title } = problems[code];
  const body = { type: `/docs/api#problem-${code}`, title, status, detail, ...more };
  answerJson(request, response, status, body, { "content-type": "application/problem+json", ...headers });
}

export function answerJson(
  request: IncomingMessage,
  response: ServerResponse,
  status: number,
  body: Record<string, unknown>,
  headers: OutgoingHttpHeaders = {},
): void {
  // Nobody is left to tell.
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
