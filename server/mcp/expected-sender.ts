import { isOwnOrigin } from "../context.ts";
import { Problem } from "../errors.ts";
import { refuseUnexpectedHost } from "../expected-host.ts";

/** Refuses what a foreign page makes a browser send: by the Host that it has led here, and by its Origin. */
export function refuseUnexpectedSender(request: Request): void {
  refuseUnexpectedHost(request);
  const origin = request.headers.get("origin");
  if (origin !== null && !isOwnOrigin(origin, request))
    throw new Problem("forbidden", "A page of another origin may not call this");
}
