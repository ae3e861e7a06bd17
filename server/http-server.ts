import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { Socket } from "node:net";

/** The usual ones are those of the service. */
type Patience = {
  /** In milliseconds, from the first byte to the end of the headers. */
  headersMs: number;
  /** From the first byte to the end of the body: 4 MB in this time are 70 kB a second. */
  requestMs: number;
  /** For how long, and how many bytes of it, what is still being sent after the answer is thrown away. */
  lingerMs: number;
  lingerBytes: number;
};

const usual: Patience = {
  headersMs: 15_000,
  requestMs: 60_000,
  lingerMs: 5_000,
  lingerBytes: 16 * 1024 * 1024,
};

/**
 * An HTTP server on which a client that does not finish what it has begun keeps its socket for a short time only: it
 * gets a 408, or is hung up on when it has been answered already.
 */
export function createImpatientServer(
  work: (request: IncomingMessage, response: ServerResponse) => void,
  patience: Patience = usual,
): Server {
  const { headersMs, requestMs } = patience;
  const options = {
    headersTimeout: headersMs,
    requestTimeout: requestMs,
    connectionsCheckingInterval: Math.min(1_000, headersMs / 2),
  };
  return createServer(options, (request, response) => {
    // Whoever gives up a request half-read takes the socket from it.
    const { socket } = request;
    response.once("finish", () => hangUpUnlessComplete(request, socket, patience));
    work(request, response);
  });
}

/**
 * Closes the connection of a request that was answered before it came to its end. Not at once: a client that sends
 * everything before it reads anything would find the connection broken, and no answer.
 */
function hangUpUnlessComplete(
  request: IncomingMessage,
  socket: Socket,
  { lingerMs, lingerBytes }: Patience,
): void {
  if (request.complete) return;
  // Whoever stopped reading half-way still listens, and would keep the rest from being thrown away.
  request.removeAllListeners("readable").resume();
  const [until, allowed] = [Date.now() + lingerMs, socket.bytesRead + lingerBytes];
  const watch = setInterval(() => {
    if (Date.now() > until || socket.bytesRead > allowed) socket.destroy();
  }, 50).unref();
  const stop = () => clearInterval(watch);
  request.once("end", stop);
  socket.once("close", stop);
}
