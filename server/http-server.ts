import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";

/** In milliseconds; the usual ones are those of the service. */
type Patience = {
  /** From the first byte to the end of the headers. */
  headersMs: number;
  /** From the first byte to the end of the body: 4 MB in this time are 70 kB a second. */
  requestMs: number;
  /** For how long what is still being sent after the answer is thrown away. */
  lingerMs: number;
};

const usual: Patience = { headersMs: 15_000, requestMs: 60_000, lingerMs: 5_000 };

/**
 * An HTTP server on which a client that does not finish what it has begun keeps its socket for a short time only: it
 * gets a 408, or is hung up on when it has been answered already.
 */
export function createImpatientServer(
  work: (request: IncomingMessage, response: ServerResponse) => void,
  { headersMs, requestMs, lingerMs }: Patience = usual,
): Server {
  const options = {
    headersTimeout: headersMs,
    requestTimeout: requestMs,
    connectionsCheckingInterval: Math.min(1_000, headersMs / 2),
  };
  return createServer(options, (request, response) => {
    response.once("finish", () => hangUpUnlessComplete(request, lingerMs));
    work(request, response);
  });
}

/**
 * Closes the connection of a request that was answered before it came to its end. Not at once: a client that is still
 * sending would see the connection break, and not the answer.
 */
function hangUpUnlessComplete(request: IncomingMessage, lingerMs: number): void {
  if (request.complete) return;
  const hangUp = setTimeout(() => request.socket.destroy(), lingerMs).unref();
  request.once("close", () => clearTimeout(hangUp));
}
