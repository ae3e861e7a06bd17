import { isIP } from "node:net";
import { isOwnOrigin } from "../context.ts";
import { publicUrl } from "../env.ts";
import { Problem } from "../errors.ts";

/**
 * Refuses what a foreign page makes a browser send: by the Origin that it tells, and by the Host, which names the
 * page's own server where its name has been led to this address (DNS rebinding). An address or localhost in its
 * place is no name that anybody could lead elsewhere.
 */
export function refuseUnexpectedSender(request: Request): void {
  const host = request.headers.get("host") ?? "";
  if (!isExpectedHost(host))
    throw new Problem(
      "forbidden",
      "This Host is not expected; PUBLIC_URL says by which name the service is reached",
    );
  const origin = request.headers.get("origin");
  if (origin !== null && !isOwnOrigin(origin, request))
    throw new Problem("forbidden", "A page of another origin may not call this");
}

function isExpectedHost(host: string): boolean {
  const own = new URL(publicUrl());
  const url = `${own.protocol}//${host}`;
  if (!/^[\w.:[\]-]+$/.test(host) || !URL.canParse(url)) return false;
  const { host: name, hostname } = new URL(url);
  if (name === own.host || hostname === "localhost") return true;
  return isIP(hostname.replace(/^\[(.*)\]$/, "$1")) > 0;
}
