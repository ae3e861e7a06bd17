import { Problem } from "../../errors.ts";
import { isOwnOrigin } from "../context.ts";
import { rejectUnexpectedHost } from "../expected-host.ts";

/** Rejects requests that a foreign page makes a browser send, by Host (DNS rebinding) and Origin. */
export function rejectUnexpectedSender(request: Request): void {
  rejectUnexpectedHost(request);
  const origin = request.headers.get("origin");
  if (origin !== null && !isOwnOrigin(origin, request))
    throw new Problem("forbidden", "Cross-origin requests are not allowed");
}
