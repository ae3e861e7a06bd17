import type { IncomingMessage, ServerResponse } from "node:http";
import { restRoot } from "../doors/rest/root.ts";
import { sendJson, sendProblem } from "./plain-answer.ts";
import type { Readiness, UnreadyReason } from "./readiness.ts";

/**
 * Probes for platforms, without authentication: liveness (`/health`) and readiness (`/ready`). Answered before Next,
 * so that they depend on nothing else, and they reveal nothing that a page would not.
 */
const paths = new Map<string, "health" | "ready">(
  (["health", "ready"] as const).flatMap((probe) => [
    [`/${probe}`, probe],
    [`${restRoot}/${probe}`, probe],
  ]),
);

const details: Record<UnreadyReason, string> = {
  stopping: "The service is stopping",
  database: "The database does not respond",
  migrations: "The database is not migrated to this version yet",
};

/** Answers a probe; returns whether the request was one. */
export function serveProbe(
  request: IncomingMessage,
  response: ServerResponse,
  readiness: () => Promise<Readiness>,
): boolean {
  const probe = paths.get(pathOf(request));
  if (!probe) return false;
  if (request.method !== "GET" && request.method !== "HEAD")
    sendProblem(request, response, "method_not_allowed", "This path accepts GET", { allow: "GET, HEAD" });
  else if (probe === "health") sendJson(request, response, 200, { status: "up" });
  else
    void readiness().then(({ hindrance, jobs }) => {
      if (hindrance)
        sendProblem(request, response, "unavailable", details[hindrance], {}, { reason: hindrance, jobs });
      else sendJson(request, response, 200, { status: "ready", jobs });
    });
  return true;
}

/** Whether the request is a probe, for logs and metrics. */
export const isProbe = (request: IncomingMessage) => paths.has(pathOf(request));

const pathOf = ({ url = "/" }: IncomingMessage) => url.split("?", 1)[0] ?? "/";
