import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { Socket } from "node:net";

/** Defaults to the service's limits. */
type Patience = {
  /** In ms, from the first byte to the end of the headers. */
  headersMs: number;
  /** In ms, from the first byte to the end of the body: 4 MB in this time is 70 kB/s. */
  requestMs: number;
  /** How long a connection may be idle between requests, in ms. */
  idleMs: number;
  /** For how long, and up to how many bytes, the rest of a request is drained after the response. */
  lingerMs: number;
  lingerBytes: number;
};

const usual: Patience = {
  headersMs: 15_000,
  requestMs: 60_000,
  // Longer than the 60 s of common load balancers: whoever closes first must be the one that sends requests, since a
  // request that meets a closing connection is lost.
  idleMs: 65_000,
  lingerMs: 5_000,
  lingerBytes: 16 * 1024 * 1024,
};

/**
 * An HTTP server that limits slow clients: a request that is not completed in time gets a 408, or is disconnected if
 * it has already been answered.
 */
export function createLimitedServer(
  work: (request: IncomingMessage, response: ServerResponse) => void,
  patience: Patience = usual,
): Server {
  const { headersMs, requestMs, idleMs } = patience;
  const options = {
    headersTimeout: headersMs,
    requestTimeout: requestMs,
    keepAliveTimeout: idleMs,
    connectionsCheckingInterval: Math.min(1_000, headersMs / 2),
  };
  return createServer(options, (request, response) => {
    // A client that aborts a half-read request destroys its socket.
    const { socket } = request;
    response.once("finish", () => closeUnlessComplete(request, socket, patience));
    work(request, response);
  });
}

/**
 * Closes the connection of a request that was answered before its end, with a delay: a client that sends everything
 * before it reads would otherwise see a broken connection and no response.
 */
function closeUnlessComplete(
  request: IncomingMessage,
  socket: Socket,
  { lingerMs, lingerBytes }: Patience,
): void {
  if (request.complete) return;
  // A reader that stopped half-way still holds the stream and would keep the rest from being drained.
  request.removeAllListeners("readable").resume();
  const [until, allowed] = [Date.now() + lingerMs, socket.bytesRead + lingerBytes];
  const watch = setInterval(() => {
    if (Date.now() > until || socket.bytesRead > allowed) socket.destroy();
  }, 50).unref();
  const stop = () => clearInterval(watch);
  request.once("end", stop);
  socket.once("close", stop);
}
