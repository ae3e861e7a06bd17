import { randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { requestIdHeader } from "../request-headers.ts";
import { log } from "../telemetry/log.ts";
import { clock, metrics } from "../telemetry/metrics.ts";
import { failSpan, traced } from "../telemetry/tracing.ts";
import { within, workContext } from "../telemetry/work-context.ts";
import { isProbe } from "./probes.ts";

type Options = {
  /** The route of a path, unless its handler sets a more specific one. */
  routeOf: (path: string) => string | null;
  /** Whether requests are logged. */
  isLogged: boolean;
};

/**
 * The lines of requests. Their fields are named here, and none holds a secret by its name; looking for one would cost ten
 * times what the line does. What looks like a secret in a path is removed all the same.
 */
const requestLog = log.child({}, { redact: [] });

/**
 * Follows each request from arrival to the end of its response: assigns an id, then counts it, logs it, and ends its
 * span. Keeps a caller's well-formed X-Request-Id, so that one id can span several services. The response always
 * carries the id.
 */
export function withRequestLog({ routeOf, isLogged }: Options) {
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

          const route = workContext()?.route ?? routeOf(path) ?? otherRoute(request, path);
          // The client disconnected before the response was sent.
          const status = response.writableFinished ? response.statusCode : 499;
          metrics.requests.inc({ method, route, status: String(status) });
          metrics.requestSeconds.observe({ method, route }, took());
          span?.updateName(`${method} ${route}`);
          span?.setAttributes({ "http.route": route, "http.response.status_code": status });
          if (status >= 500) failSpan(span, String(status));
          if (isLogged) {
            const level = isRoutine(request, path) ? "debug" : "info";
            requestLog[level](
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

/** At most 128 characters, none of them special to a terminal, a log, or a page. */
const idOf = (given: string | string[] | undefined) =>
  typeof given === "string" && /^[\w.:+/=@-]{1,128}$/.test(given) ? given : randomUUID();

/** Requests without a route in the build: static files and 404s. */
function otherRoute(request: IncomingMessage, path: string): string {
  if (path.startsWith("/_next/")) return "/_next/{file}";
  return isProbe(request) ? path : "none";
}

/** Automatic requests every few seconds, and static files, which are not worth a log line. */
const isRoutine = (request: IncomingMessage, path: string) => isProbe(request) || path.startsWith("/_next/");
