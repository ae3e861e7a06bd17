import type { IncomingMessage, ServerResponse } from "node:http";
import { problems } from "./errors.ts";
import type { Hindrance, Readiness } from "./readiness.ts";
import { restRoot } from "./rest/root.ts";

/**
 * What platforms ask a process, without signing in: whether it lives (`/health`), and whether requests should be sent
 * to it (`/ready`). Both are answered before Next sees them, so that they depend on nothing else, and they tell a
 * stranger nothing that a request for a page would not.
 */
const paths = new Map<string, "health" | "ready">(
  (["health", "ready"] as const).flatMap((probe) => [
    [`/${probe}`, probe],
    [`${restRoot}/${probe}`, probe],
  ]),
);

const details: Record<Hindrance, string> = {
  stopping: "The service is stopping",
  database: "The database does not answer",
  migrations: "The database has not the tables of this version yet",
};

/** Answers a probe, and says whether the request was one. */
export function answerProbe(
  request: IncomingMessage,
  response: ServerResponse,
  readiness: () => Promise<Readiness>,
): boolean {
  const probe = paths.get(pathOf(request));
  if (!probe) return false;
  if (request.method !== "GET" && request.method !== "HEAD") {
    const detail = "This path answers GET";
    response.setHeader("allow", "GET, HEAD");
    tell(request, response, problem("method_not_allowed", detail));
  } else if (probe === "health") tell(request, response, { status: 200, body: { status: "up" } });
  else
    void readiness().then(({ hindrance, jobs }) => {
      const ready = { status: 200, body: { status: "ready", jobs } };
      tell(
        request,
        response,
        hindrance ? problem("unavailable", details[hindrance], { reason: hindrance, jobs }) : ready,
      );
    });
  return true;
}

/** Whether it is one, for who counts and logs requests. */
export const isProbe = (request: IncomingMessage) => paths.has(pathOf(request));

const pathOf = ({ url = "/" }: IncomingMessage) => url.split("?", 1)[0] ?? "/";

type Answer = { status: number; body: Record<string, unknown> };

/** As the REST door tells one (RFC 9457), with what it says beyond. */
function problem(code: "unavailable" | "method_not_allowed", detail: string, more: object = {}): Answer {
  const { status, title } = problems[code];
  return { status, body: { type: `/docs/api#problem-${code}`, title, status, detail, ...more } };
}

function tell(request: IncomingMessage, response: ServerResponse, { status, body }: Answer): void {
  // Nobody is left to tell.
  if (response.destroyed) return;
  const text = JSON.stringify(body);
  response.writeHead(status, {
    "content-type": status === 200 ? "application/json" : "application/problem+json",
    "content-length": Buffer.byteLength(text),
    "cache-control": "no-store",
  });
  response.end(request.method === "HEAD" ? undefined : text);
}
