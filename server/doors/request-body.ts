import { Problem } from "../errors.ts";
import { ReceivedRequest } from "./received-request.ts";

const kilobyte = 1024;
const megabyte = 1024 * kilobyte;

/**
 * Limits on body sizes. Every API reads bodies through this file, or passes the limit on; nothing else reads bodies.
 */
export const bodyLimits = {
  /** JSON for REST, tRPC, and MCP; a REST route that accepts files has its own limit. */
  json: megabyte,
  /** A next-auth form. */
  form: 16 * kilobyte,
  /** `List-Unsubscribe=One-Click`. */
  unsubscribe: kilobyte,
  /** A press in a chat, with the message. */
  chat: 512 * kilobyte,
  /** A hub sign-in. */
  hubSignIn: 4 * kilobyte,
  /** What Pusher's server API accepts at once: ten events of 10 kB. */
  hubEvents: 100 * kilobyte,
  /** A job's state, which Inngest sends with each step. */
  inngest: 4 * megabyte,
} as const;

/**
 * The whole body. Throws too_large immediately for a declared length, otherwise when the limit is exceeded, without
 * reading the rest.
 */
export async function readBody(
  request: Request,
  maxBytes: number,
  advice?: string,
): Promise<Buffer<ArrayBuffer>> {
  if (Number(request.headers.get("content-length") ?? 0) > maxBytes) throw tooLarge(maxBytes, advice);
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of chunksOf(request)) {
    size += chunk.byteLength;
    if (size > maxBytes) throw tooLarge(maxBytes, advice);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** Ending early cancels nothing: what a client sends before it reads the response can still be drained. */
function chunksOf(request: Request): AsyncIterable<Uint8Array> | Uint8Array[] {
  if (request instanceof ReceivedRequest) return request.incoming.iterator({ destroyOnReturn: false });
  return request.body?.values({ preventCancel: true }) ?? [];
}

function tooLarge(maxBytes: number, advice: string | undefined): Problem {
  const larger = `The body is larger than ${inWords(maxBytes)}`;
  return new Problem("too_large", advice ? `${larger}: ${advice}` : larger);
}

/** The same request with its body read, for a library without a size limit. Throws too_large. */
export async function withBody(request: Request, maxBytes: number): Promise<Request> {
  const hasBody = request instanceof ReceivedRequest || request.body !== null;
  if (!hasBody) return request;
  const body = await readBody(request, maxBytes);
  const { url, method, headers } = request;
  return new Request(url, { method, headers, body });
}

const inWords = (bytes: number) => (bytes < megabyte ? `${bytes / kilobyte} kB` : `${bytes / megabyte} MB`);
