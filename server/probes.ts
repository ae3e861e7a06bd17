import type { IncomingMessage, ServerResponse } from "node:http";
import { answerJson, answerProblem } from "./plain-answer.ts";
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
  if (request.method !== "GET" && request.method !== "HEAD")
    answerProblem(request, response, "method_not_allowed", "This path answers GET", { allow: "GET, HEAD" });
  else if (probe === "health") answerJson(request, response, 200, { status: "up" });
  else
    void readiness().then(({ hindrance, jobs }) => {
      if (hindrance)
        answerProblem(request, response, "unavailable", details[hindrance], {}, { reason: hindrance, jobs });
      else answerJson(request, response, 200, { status: "ready", jobs });
    });
  return true;
}

/** Whether it is one, for who counts and logs requests. */
export const isProbe = (request: IncomingMessage) => paths.has(pathOf(request));

const pathOf = ({ url = "/" }: IncomingMessage) => url.split("?", 1)[0] ?? "/";
