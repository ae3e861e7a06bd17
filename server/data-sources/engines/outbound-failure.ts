import { OutboundRefusal } from "../../outbound/request.ts";
import { isSourceError, SourceError } from "./engine.ts";
import { brokenConnection } from "./failures.ts";

/** Why a request has no answer; `otherwise` if nothing is known of it. */
export function outboundFailure(error: unknown, otherwise = "The connection broke off"): SourceError {
  if (isSourceError(error)) return error;
  if (error instanceof OutboundRefusal)
    return new SourceError(error.reason === "timeout" ? "timeout" : "unreachable", error.message);
  return brokenConnection(error, otherwise);
}

/** The fields of a JSON object; none if it is anything else. */
export function fieldsIn(body: Buffer): Record<string, unknown> {
  try {
    const parsed = JSON.parse(body.toString());
    return typeof parsed === "object" && parsed !== null ? parsed : {};
  } catch {
    return {};
  }
}
