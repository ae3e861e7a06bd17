import type { IncomingMessage } from "node:http";

/** Requests whose bodies have not come to their end, of one network. */
const most = 100;

/** The same where the address is that of a proxy which nobody has named, and so of everybody behind it. */
const mostBehindUnnamedProxy = 1000;

/** Who sends a request. */
export type Sender = { network: string; isBehindUnnamedProxy: boolean };

/**
 * Answers whether a request may be served: not when its network has too many already whose bodies are on their way. A
 * client that begins many and finishes none would otherwise hold a socket and a handler for each.
 */
export function boundUnfinished(
  senderOf: (request: IncomingMessage) => Sender,
): (request: IncomingMessage) => boolean {
  const byNetwork = new Map<string, Set<IncomingMessage>>();
  return (request) => {
    if (!hasBody(request)) return true;
    const { network, isBehindUnnamedProxy } = senderOf(request);
    const allowed = isBehindUnnamedProxy ? mostBehindUnnamedProxy : most;
    const underWay = byNetwork.get(network) ?? new Set();
    // Most bodies have come whole long before their request is answered; these do not count.
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
