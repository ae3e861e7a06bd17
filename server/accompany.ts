import { randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { requestIdHeader } from "./auth/principal.ts";
import { log } from "./log.ts";
import { isProbe } from "./probes.ts";
import { clock, metrics } from "./telemetry/metrics.ts";
import { surroundings, within } from "./telemetry/surroundings.ts";
import { failSpan, traced } from "./telemetry/tracing.ts";

type Options = {
  /** The route of a path, where no door says a more exact one. */
  routeOf: (path: string) => string | null;
  /** Whether each request is a line of the log. */
  isLogged: boolean;
};

/**
 * Goes along with every request from its arrival to the end of its answer: gives it an id, and then counts it, logs
 * it and ends its span. A caller's own well-formed X-Request-Id is kept, so that one id leads through several
 * services; the answer always carries it.
 */
export function accompany({ routeOf, isLogged }: Options) {
  return (request: IncomingMessage, response: ServerResponse, work: () => void): void => {
    const requestId = idOf(request.headers[requestIdHeader]);
    request.headers[requestIdHeader] = requestId;
    response.setHeader(requestIdHeader, requestId);
    const took = clock();
    const method = knownMethods.has(request.method ?? "") ? (request.method ?? "") : "other";
    const path = (request.url ?? "/").split("?", 1)[0] ?? "/";

    within({ requestId }, () =>
      traced(
        method,
        { "http.request.method": method, "plumbline.request.id": requestId },
        async (span) => {
          const ended = new Promise<void>((resolve) => response.once("close", resolve));
          work();
          await ended;

          const route = surroundings()?.route ?? routeOf(path) ?? otherRoute(request, path);
          // Whoever asked went away before the answer had been given.
          const status = response.writableFinished ? response.statusCode : 499;
          metrics.requests.inc({ method, route, status: String(status) });
          metrics.requestSeconds.observe({ method, route }, took());
          span?.updateName(`${method} ${route}`);
          span?.setAttributes({ "http.route": route, "http.response.status_code": status });
          if (status >= 500) failSpan(span, String(status));
          if (isLogged) {
            const level = isRoutine(request, path) ? "debug" : "info";
            log[level](
              { method, path: path.slice(0, 500), route, status, ms: Math.round(took() * 1000) },
              "Request",
            );
          }
        },
        { kind: "SERVER", traceparent: request.headers.traceparent as string | undefined },
      ),
    );
  };
}

const knownMethods = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);

/** No more than 128 characters that mean nothing to a terminal, a log or a page. */
const idOf = (given: string | string[] | undefined) =>
  typeof given === "string" && /^[\w.:+/=@-]{1,128}$/.test(given) ? given : randomUUID();

/** What has no route of the build: its own files, and what is not there. */
function otherRoute(request: IncomingMessage, path: string): string {
  if (path.startsWith("/_next/")) return "/_next/{file}";
  return isProbe(request) ? path : "none";
}

/** What comes by itself every few seconds, and the files of a page: nobody looks for them in the log. */
const isRoutine = (request: IncomingMessage, path: string) => isProbe(request) || path.startsWith("/_next/");
