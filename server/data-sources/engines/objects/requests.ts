import type { IncomingMessage } from "node:http";
import { setTimeout as pause } from "node:timers/promises";
import { exchangeOutbound, OutboundRefusal } from "../../../outbound/request.ts";
import { isSourceError, SourceError } from "../engine.ts";
import { brokenConnection, namingCa } from "../failures.ts";

/** How long a server may send nothing. */
const idleMs = 30_000;
/** Pauses before a request is made again that the other side could not answer at the moment. */
const pausesMs = [200, 800, 2_000];

type Get = {
  url: URL;
  headers: Readonly<Record<string, string>>;
  caCertificate?: string | undefined;
  signal: AbortSignal;
};

/** The server is busy, or the connection broke: the same may work in a moment. */
export class Passing extends Error {
  override readonly cause: SourceError;

  constructor(cause: SourceError) {
    super(cause.message);
    this.cause = cause;
  }
}

/** A request that reads, under the policy for outbound requests. Throws SourceError, Passing, or the signal's reason. */
export async function get<T>(
  { url, headers, caCertificate, signal }: Get,
  receive: (response: IncomingMessage) => Promise<T>,
): Promise<T> {
  try {
    return await exchangeOutbound({ method: "GET", url, headers, caCertificate, signal, idleMs }, receive);
  } catch (error) {
    if (isSourceError(error) || error instanceof Passing) throw error;
    signal.throwIfAborted();
    if (error instanceof OutboundRefusal)
      throw new SourceError(error.reason === "timeout" ? "timeout" : "unreachable", error.message);
    const failure = namingCa(brokenConnection(error, "The server broke off its answer"), { caCertificate });
    throw isBreak(failure) ? new Passing(failure) : failure;
  }
}

/** A connection that broke may be there again in a moment. */
const isBreak = ({ message }: SourceError) => /^The (connection was lost|server broke off)/.test(message);

/** Tries again after what passes, and then throws what it was. */
export async function patiently<T>(signal: AbortSignal, attempt: () => Promise<T>): Promise<T> {
  for (let tries = 0; ; tries++)
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof Passing)) throw error;
      const pauseMs = pausesMs[tries];
      if (pauseMs === undefined) throw error.cause;
      await pause(pauseMs * (0.5 + Math.random() / 2), undefined, { signal }).catch(() =>
        signal.throwIfAborted(),
      );
    }
}
