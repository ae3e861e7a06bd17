import { workContext } from "../../telemetry/work-context.ts";
import { answeredProblem } from "../answered-problem.ts";
import { WholeResponse } from "../whole-response.ts";

/** Any error as problem+json (RFC 9457). */
export function problemResponse(error: unknown, requestId = workContext()?.requestId): Response {
  const { code, status, title, detail, errors, members, headers } = answeredProblem(error, {
    requestId,
    failed: "A request failed",
  });
  const body = { ...members, type: `/docs/api#problem-${code}`, title, status, detail, requestId, errors };
  const response = new WholeResponse(JSON.stringify(body), { status, headers: headers ?? {} });
  response.headers.set("content-type", "application/problem+json");
  response.headers.set("cache-control", "no-store");
  if (requestId) response.headers.set("x-request-id", requestId);
  if (status === 401) response.headers.set("www-authenticate", "Bearer");
  return response;
}
