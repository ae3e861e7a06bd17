import { lookup as resolve } from "node:dns";
import { type IncomingMessage, request as plainRequest } from "node:http";
import { request as secureRequest } from "node:https";
import { isIP, type LookupFunction } from "node:net";
import { rejectInTransaction } from "../db/ambient.ts";
import { env } from "../env.ts";
import { type Allowed, allowedBy, isPublic } from "./addresses.ts";

export type OutboundRequest = {
  method: "GET" | "POST" | "PUT";
  url: URL;
  headers: Readonly<Record<string, string>>;
  body?: string | Uint8Array;
  /** In PEM format: the only CAs that may have issued an https server's certificate. By default those that Node knows. */
  caCertificate?: string | undefined;
  /** For all of it, from looking the host up to the last byte. */
  timeoutMs: number;
  maxBytes: number;
};

export type OutboundResponse = { status: number; headers: IncomingMessage["headers"]; body: Buffer };

/** Why a request was not made or not finished, when it was neither the network nor the other side. */
export class OutboundRefusal extends Error {
  override readonly name = "OutboundRefusal";
  readonly reason: "address" | "protocol" | "timeout" | "size";

  constructor(reason: OutboundRefusal["reason"], message: string) {
    super(message);
    this.reason = reason;
  }
}

/**
 * One request to an address that someone has typed in. The policy is held by the lookup of the very socket that
 * is connected, so no name can resolve to one address when it is judged and to another when it is used. Redirects
 * are answers like any other, and never followed. Throws OutboundRefusal and what the network says.
 */
export async function sendOutbound(
  { timeoutMs, maxBytes, ...request }: OutboundRequest,
  allowed: Allowed = allowedBy(env().OUTBOUND_ALLOW),
): Promise<OutboundResponse> {
  const ending = new AbortController();
  const late = new OutboundRefusal("timeout", `No complete response within ${timeoutMs / 1000} s`);
  const timer = setTimeout(() => ending.abort(late), timeoutMs);
  try {
    return await exchangeOutbound(
      { ...request, signal: ending.signal },
      async (response) => ({
        status: response.statusCode ?? 0,
        headers: response.headers,
        body: await bodyOf(response, maxBytes),
      }),
      allowed,
    );
  } finally {
    clearTimeout(timer);
  }
}

/** All of a body. Throws OutboundRefusal if it is larger. */
export async function bodyOf(response: IncomingMessage, maxBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    size += chunk.length;
    chunks.push(chunk);
    if (size > maxBytes) throw new OutboundRefusal("size", `The response is larger than ${maxBytes} bytes`);
  }
  return Buffer.concat(chunks);
}

export type OutboundExchange = Omit<OutboundRequest, "timeoutMs" | "maxBytes"> & {
  /** Ends it; its reason is thrown. */
  signal: AbortSignal;
  /** How long nothing may arrive. */
  idleMs?: number;
};

/** The same, for a response that is received as it arrives; it ends when that does. */
export async function exchangeOutbound<T>(
  { method, url, headers, body, caCertificate, signal, idleMs }: OutboundExchange,
  receive: (response: IncomingMessage) => Promise<T>,
  allowed: Allowed = allowedBy(env().OUTBOUND_ALLOW),
): Promise<T> {
  rejectInTransaction("A request");
  signal.throwIfAborted();
  const send = { "http:": plainRequest, "https:": secureRequest }[url.protocol];
  if (!send) throw new OutboundRefusal("protocol", "Only http and https addresses are allowed");
  const host = url.hostname.replace(/^\[|\]$/g, "");
  // An address is not looked up. URL has already made 2130706433 and 0177.0.0.1 into 127.0.0.1.
  if (isIP(host) && !mayReach(host, url.hostname, allowed)) throw notAllowed();

  const { promise, resolve: finish, reject } = Promise.withResolvers<T>();
  // Its own connection, closed after it: none is shared with a caller of another policy, or goes by a proxy.
  const options = {
    method,
    headers,
    ca: caCertificate,
    agent: false as const,
    lookup: guardedLookup(allowed),
  };
  let isAnswered = false;
  const request = send(url, options, (response) => {
    isAnswered = true;
    receive(response).then(finish, reject);
  });
  request.on("error", reject);
  // What has been answered, its receiver ends.
  request.on("close", () => isAnswered || reject(new Error("The connection was closed")));
  const stop = (reason: unknown) => {
    reject(reason);
    request.destroy();
  };
  if (idleMs !== undefined)
    request.setTimeout(idleMs, () =>
      stop(new OutboundRefusal("timeout", `Nothing arrived for ${idleMs / 1000} s`)),
    );
  const abort = () => stop(signal.reason);
  signal.addEventListener("abort", abort, { once: true });
  request.end(body);
  try {
    return await promise;
  } finally {
    signal.removeEventListener("abort", abort);
    request.destroy();
  }
}

const mayReach = (address: string, host: string, allowed: Allowed) =>
  isPublic(address) || allowed.allowsAddress(address) || allowed.allowsHost(host);

const notAllowed = () =>
  new OutboundRefusal(
    "address",
    "The host's address is not public; an operator can allow it with OUTBOUND_ALLOW",
  );

/** Resolves like the system does, and keeps only what may be reached. */
function guardedLookup(allowed: Allowed): LookupFunction {
  return (host, options, callback) => {
    resolve(host, { ...options, all: true }, (error, found) => {
      if (error) return callback(error, "");
      const usable = found.filter(({ address }) => mayReach(address, host, allowed));
      const [first] = usable;
      if (!first) return callback(notAllowed(), "");
      return options.all ? callback(null, usable) : callback(null, first.address, first.family);
    });
  };
}
