import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { networkOf } from "../auth/network.ts";
import { isOwnOrigin } from "../doors/context.ts";
import { limitRequests } from "../doors/request-limits.ts";
import type { Hub } from "../realtime/hub.ts";
import { hubPath } from "../realtime/protocol.ts";

export type Upgrade = [request: IncomingMessage, socket: Duplex, head: Buffer];

type Routes = {
  /** null where there is none. */
  hub: Pick<Hub, "upgrade"> | null;
  /** Handles all other WebSockets, if set. */
  others?: ((...upgrade: Upgrade) => void) | undefined;
  addressOf(request: IncomingMessage): string;
};

/**
 * Routes WebSocket upgrades and rejects the others. Hub connections must come from the service's own pages, as far as
 * the browser reveals it, so that no other site can use the visitor's address.
 */
export function routeUpgrades({ hub, others, addressOf }: Routes): (...upgrade: Upgrade) => void {
  return (request, socket, head) => {
    // Until a handler takes over, an error on the socket would crash the process.
    socket.on("error", () => socket.destroy());
    const url = URL.canParse(request.url ?? "", "http://x") ? new URL(request.url ?? "", "http://x") : null;
    if (hub && url?.pathname.startsWith(`${hubPath}/app/`))
      void admit(hub, addressOf(request), [request, socket, head]);
    else if (others) others(request, socket, head);
    else refuse(socket, 404, "Not Found");
  };
}

async function admit(hub: Pick<Hub, "upgrade">, address: string, [request, socket, head]: Upgrade) {
  const { origin, host = "" } = request.headers;
  if (origin !== undefined && !isOwnOrigin(origin, { headers: new Headers({ host }) })) {
    refuse(socket, 403, "Forbidden");
    return;
  }
  try {
    await limitRequests({ principal: null, address });
  } catch {
    refuse(socket, 429, "Too Many Requests");
    return;
  }
  hub.upgrade(request, socket, head, networkOf(address));
}

function refuse(socket: Duplex, status: number, reason: string): void {
  socket.end(`HTTP/1.1 ${status} ${reason}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
}
