import {
  Agent as HttpAgent,
  type IncomingHttpHeaders,
  type IncomingMessage,
  request as plain,
} from "node:http";
import { Agent as HttpsAgent, request as secure } from "node:https";
import { type ConnectionWithPassword, SourceError } from "../engine.ts";
import { connectTimeoutMs } from "../link.ts";

/** Longer than the server lets a question wait for news, so that only a server that is gone takes as long. */
const silenceMs = 60_000;

export type Asked = {
  method: "POST" | "GET" | "DELETE";
  /** Begins with a slash. */
  path: string;
  headers?: Readonly<Record<string, string>>;
  body?: string;
  maxBytes: number;
  signal?: AbortSignal | undefined;
};
export type Answered = { status: number; headers: IncomingHttpHeaders; body: Buffer };

/** The response has more bytes than were allowed. */
export class TooLarge extends Error {}

/** Requests to the one server of a data source, on connections that are kept. Redirects are answers like any other. */
export class Exchange {
  readonly #target: ConnectionWithPassword;
  readonly #agent: HttpAgent | HttpsAgent;

  constructor(target: ConnectionWithPassword) {
    this.#target = target;
    this.#agent = target.ssl
      ? new HttpsAgent({
          keepAlive: true,
          rejectUnauthorized: !target.trustServerCertificate,
          ca: target.caCertificate,
          minVersion: "TLSv1.2",
        })
      : new HttpAgent({ keepAlive: true });
  }

  /** Throws the network's error, SourceError, TooLarge, or the reason of the signal. */
  async ask(asked: Asked, isAgain = false): Promise<Answered> {
    asked.signal?.throwIfAborted();
    const { promise, resolve, reject } = Promise.withResolvers<Answered>();
    const { host, port, ssl } = this.#target;
    const request = (ssl ? secure : plain)(
      { host, port, method: asked.method, path: asked.path, headers: asked.headers, agent: this.#agent },
      (response) => {
        bodyOf(response, asked.maxBytes).then(
          (body) => resolve({ status: response.statusCode ?? 0, headers: response.headers, body }),
          (error) => {
            reject(error);
            request.destroy();
          },
        );
      },
    );
    const stop = (reason: unknown) => {
      reject(reason);
      request.destroy();
    };
    const abort = () => stop(asked.signal?.reason);
    const late = setTimeout(
      () => stop(new SourceError("unreachable", "The host did not respond")),
      connectTimeoutMs,
    );
    request.on("socket", (socket) => {
      if (!socket.connecting) clearTimeout(late);
      else socket.once(ssl ? "secureConnect" : "connect", () => clearTimeout(late));
    });
    request.setTimeout(silenceMs, () =>
      stop(new SourceError("unreachable", "The server stopped responding")),
    );
    request.on("error", reject);
    asked.signal?.addEventListener("abort", abort, { once: true });
    // With a text as the body, the headers would be encoded once more with it.
    request.end(asked.body === undefined ? undefined : Buffer.from(asked.body));
    try {
      return await promise;
    } catch (error) {
      // The server may close a resting connection just when it is used again.
      const wasResting = request.reusedSocket && (error as NodeJS.ErrnoException).code === "ECONNRESET";
      if (wasResting && !isAgain && !asked.signal?.aborted) return await this.ask(asked, true);
      throw error;
    } finally {
      clearTimeout(late);
      asked.signal?.removeEventListener("abort", abort);
    }
  }

  close(): void {
    this.#agent.destroy();
  }
}

async function bodyOf(response: IncomingMessage, maxBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > maxBytes) throw new TooLarge();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
