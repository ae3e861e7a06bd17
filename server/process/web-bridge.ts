import type { IncomingMessage, ServerResponse } from "node:http";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { ReadableStream } from "node:stream/web";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import { ReceivedRequest } from "../doors/received-request.ts";
import { WholeResponse } from "../doors/whole-response.ts";

/**
 * Between node:http and handlers of web Requests and Responses. A body is only read as far as the handler reads it,
 * and a chunked response respects backpressure.
 */

/** The path and query of a request's target, which may be an absolute URL. */
export function targetOf({ url = "/" }: IncomingMessage): string {
  if (url.startsWith("/") || !URL.canParse(url)) return url;
  const { pathname, search } = new URL(url);
  return pathname + search;
}

/**
 * The request for a handler. Its origin is meaningless, because anyone can forge a Host; handlers that need it check
 * the header. `target` starts with a slash.
 */
export function webRequest(request: IncomingMessage, target: string): Request {
  const headers = new Headers();
  for (const [name, value] of Object.entries(request.headers))
    if (typeof value === "string") headers.append(name, value);
    else for (const each of value ?? []) headers.append(name, each);
  const method = request.method ?? "GET";
  const url = `http://localhost${target}`;
  return hasBody(request)
    ? new ReceivedRequest(url, { method, headers }, request)
    : new Request(url, { method, headers });
}

const hasBody = ({ method, headers }: IncomingMessage) =>
  method !== "GET" &&
  method !== "HEAD" &&
  (headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0);

/** Sends a response. Resolves when everything is sent, or the client has disconnected. */
export async function sendResponse(
  answer: Response,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  response.statusCode = answer.status;
  for (const [name, value] of answer.headers) if (name !== "set-cookie") response.setHeader(name, value);
  const cookies = answer.headers.getSetCookie();
  if (cookies.length > 0) response.setHeader("set-cookie", cookies);
  if (answer instanceof WholeResponse && request.method !== "HEAD")
    return sendWhole(answer.whole, request, response);
  const reader = answer.body?.getReader();
  if (!reader || request.method === "HEAD") {
    await reader?.cancel();
    response.end();
    return;
  }
  const first = await reader.read();
  const second = first.done ? first : await reader.read();
  // Nearly every response is one chunk, with a known length, that can be compressed in one go.
  if (second.done) return sendWhole(first.value ?? new Uint8Array(), request, response);
  response.write(first.value);
  response.write(second.value);
  reader.releaseLock();
  await pipeline(Readable.fromWeb(answer.body as ReadableStream), response).catch((error) => {
    if (error.code !== "ERR_STREAM_PREMATURE_CLOSE") throw error;
  });
}

/** Below this size, compression costs more than it saves. */
const worthCompressing = 1024;

const compressed = promisify(gzip);

async function sendWhole(
  body: Uint8Array | string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  if (isText(response)) response.appendHeader("vary", "accept-encoding");
  const isWorthIt = Buffer.byteLength(body) >= worthCompressing && isText(response) && takes(request, "gzip");
  const sent = isWorthIt ? await compressed(body) : body;
  if (isWorthIt) response.setHeader("content-encoding", "gzip");
  response.setHeader("content-length", Buffer.byteLength(sent));
  response.end(sent);
}

const isText = (response: ServerResponse) =>
  /^text\/|[/+](json|yaml|xml)\b/.test(String(response.getHeader("content-type") ?? ""));

/** Whether the caller accepts this encoding with a non-zero weight. */
export const takes = ({ headers }: IncomingMessage, encoding: "gzip" | "br"): boolean =>
  new RegExp(`\\b${encoding}\\b(?!\\s*;\\s*q=0(\\.0*)?\\s*(,|$))`).test(
    String(headers["accept-encoding"] ?? ""),
  );
