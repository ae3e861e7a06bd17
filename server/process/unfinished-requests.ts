import type { IncomingMessage } from "node:http";

/** The maximum number of unfinished requests per network. */
const maxUnfinished = 100;

/** The same for a proxy that is not in TRUST_PROXY, and so for everyone behind it. */
const maxBehindUnnamedProxy = 1000;

/** Identifies the sender of a request. */
export type Sender = { network: string; isBehindUnnamedProxy: boolean };

/**
 * Returns whether a request may be served: not if its network already has too many requests with unfinished bodies. A
 * client that starts many and finishes none would hold a socket and a handler for each.
 */
export function limitUnfinished(
  senderOf: (request: IncomingMessage) => Sender,
): (request: IncomingMessage) => boolean {
  const byNetwork = new Map<string, Set<IncomingMessage>>();
  return (request) => {
    if (!hasBody(request)) return true;
    const { network, isBehindUnnamedProxy } = senderOf(request);
    const allowed = isBehindUnnamedProxy ? maxBehindUnnamedProxy : maxUnfinished;
    const underWay = byNetwork.get(network) ?? new Set();
    // Most bodies are complete long before the response; those do not count.
    if (underWay.size >= allowed)
      for (const each of underWay) if (each.complete || each.destroyed) underWay.delete(each);
    if (underWay.size >= allowed) return false;
    byNetwork.set(network, underWay.add(request));
    request.once("close", () => {
      underWay.delete(request);
      if (underWay.size === 0 && byNetwork.get(network) === underWay) byNetwork.delete(network);
    });
    return true;
  };
}

const hasBody = ({ headers }: IncomingMessage) =>
  headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0;
