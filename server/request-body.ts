import { Problem } from "./errors.ts";

const kilobyte = 1024;
const megabyte = 1024 * kilobyte;

/**
 * How long a body may be, by what it is. Every door reads bodies through this file, or gives the limit to what reads
 * for it; outside of the doors no body is read at all.
 */
export const bodyLimits = {
  /** JSON by REST, tRPC and MCP; a REST route that takes documents says its own. */
  json: megabyte,
  /** A form of next-auth's. */
  form: 16 * kilobyte,
  /** What a browser signs in to the hub with. */
  hubSignIn: 4 * kilobyte,
  /** What Pusher's server API takes at once: ten events of 10 kB. */
  hubEvents: 100 * kilobyte,
  /** A job's state, as Inngest sends it along with each step. */
  inngest: 4 * megabyte,
} as const;

/**
 * The whole body. Throws too_large: at once for a declared length, and otherwise where the limit is passed; what is
 * beyond is not read.
 */
export async function readBody(request: Request, most: number): Promise<Buffer<ArrayBuffer>> {
  const tooLarge = new Problem("too_large", `The body is larger than ${inWords(most)}`);
  if (Number(request.headers.get("content-length") ?? 0) > most) throw tooLarge;
  const chunks: Uint8Array[] = [];
  let size = 0;
  // A loop over the stream would cancel it when it ends early: then nothing takes in what a client goes on sending
  // before it reads the answer.
  const reader = request.body?.getReader();
  for (let read = await reader?.read(); read && !read.done; read = await reader?.read()) {
    size += read.value.byteLength;
    if (size > most) throw tooLarge;
    chunks.push(read.value);
  }
  return Buffer.concat(chunks);
}

type Received = Pick<Request, "method" | "headers" | "signal"> & { body: Buffer<ArrayBuffer> };

/** The same request with its body read, for a library that would read one of any length. Throws too_large. */
export async function withBody<R extends Request>(
  request: R,
  most: number,
  make: new (url: string, init: Received) => R,
): Promise<R> {
  if (request.body === null) return request;
  const body = await readBody(request, most);
  const { url, method, headers, signal } = request;
  return new make(url, { method, headers, signal, body });
}

const inWords = (bytes: number) => (bytes < megabyte ? `${bytes / kilobyte} kB` : `${bytes / megabyte} MB`);
