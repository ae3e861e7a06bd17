import { OutboundRefusal } from "../../../outbound/request.ts";
import { isSourceError, SourceError } from "../engine.ts";
import { brokenConnection } from "../failures.ts";

/** Why a request has no answer. */
export function outboundFailure(error: unknown): SourceError {
  if (isSourceError(error)) return error;
  if (error instanceof OutboundRefusal)
    return new SourceError(error.reason === "timeout" ? "timeout" : "unreachable", error.message);
  return brokenConnection(error, "The connection broke off");
}
