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
  { method, url, headers, body, caCertificate, timeoutMs, maxBytes }: OutboundRequest,
  allowed: Allowed = allowedBy(env().OUTBOUND_ALLOW),
): Promise<OutboundResponse> {
  rejectInTransaction("A request");
  const send = { "http:": plainRequest, "https:": secureRequest }[url.protocol];
  if (!send) throw new OutboundRefusal("protocol", "Only http and https addresses are allowed");
  const host = url.hostname.replace(/^\[|\]$/g, "");
  // An address is not looked up. URL has already made 2130706433 and 0177.0.0.1 into 127.0.0.1.
  if (isIP(host) && !mayReach(host, url.hostname, allowed)) throw notAllowed();

  const { promise, resolve: finish, reject } = Promise.withResolvers<OutboundResponse>();
  // Its own connection, closed after it: none is shared with a caller of another policy, or goes by a proxy.
  const options = {
    method,
    headers,
    ca: caCertificate,
    agent: false as const,
    lookup: guardedLookup(allowed),
  };
  const request = send(url, options, (response) => {
    const chunks: Buffer[] = [];
    let size = 0;
    response.on("data", (chunk: Buffer) => {
      size += chunk.length;
      chunks.push(chunk);
      if (size > maxBytes) stop(new OutboundRefusal("size", `The response is larger than ${maxBytes} bytes`));
    });
    response.on("error", reject);
    response.on("end", () =>
      finish({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(chunks) }),
    );
  });
  request.on("error", reject);
  // A promise is settled once: whatever else the socket says after its end is nobody's concern.
  request.on("close", () => reject(new Error("The connection was closed")));
  const stop = (refusal: OutboundRefusal) => {
    reject(refusal);
    request.destroy();
  };
  const late = new OutboundRefusal("timeout", `No complete response within ${timeoutMs / 1000} s`);
  const timer = setTimeout(stop, timeoutMs, late);
  request.end(body);
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
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
