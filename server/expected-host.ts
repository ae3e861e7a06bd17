import { isIP } from "node:net";
import { publicUrl } from "./env.ts";
import { Problem } from "./errors.ts";

/**
 * Refuses a request whose Host is somebody else's name. A page can have its own name lead to this address (DNS
 * rebinding), and its visitor's browser then takes the service for the page's own server. PUBLIC_URL says by which
 * name the service is reached; what nobody can register as a domain is expected as well: addresses, localhost, and
 * names of the local network.
 */
export function refuseUnexpectedHost({ headers }: Pick<Request, "headers">): void {
  if (!isExpectedHost(headers.get("host") ?? ""))
    throw new Problem(
      "forbidden",
      "This Host is not expected; PUBLIC_URL says by which name the service is reached",
    );
}

function isExpectedHost(host: string): boolean {
  if (!/^[\w.:[\]-]+$/.test(host) || !URL.canParse(`http://${host}`)) return false;
  const { hostname } = new URL(`http://${host}`);
  return hostname === new URL(publicUrl()).hostname || isLocalName(hostname);
}

/** Names without a dot, and those under domains that are reserved for local use (RFC 6761, 6762, 8375; ICANN). */
function isLocalName(hostname: string): boolean {
  if (isIP(hostname.replace(/^\[(.*)\]$/, "$1")) > 0) return true;
  return !hostname.includes(".") || /\.(localhost|local|internal|home\.arpa)$/.test(hostname);
}
