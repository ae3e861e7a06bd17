import { isIP } from "node:net";
import { publicUrl } from "../env.ts";
import { Problem } from "../errors.ts";

/**
 * Rejects requests with a foreign Host (DNS rebinding): another site's domain can resolve to this address, and
 * browsers would treat the service as that site. Accepts the host of PUBLIC_URL and names that nobody can register:
 * addresses, localhost, and local network names.
 */
export function rejectUnexpectedHost({ headers }: Pick<Request, "headers">): void {
  if (!isExpectedHost(headers.get("host") ?? ""))
    throw new Problem(
      "forbidden",
      "Unexpected Host header; set PUBLIC_URL to the address at which users reach the service",
    );
}

function isExpectedHost(host: string): boolean {
  if (!/^[\w.:[\]-]+$/.test(host) || !URL.canParse(`http://${host}`)) return false;
  const { hostname } = new URL(`http://${host}`);
  return hostname === new URL(publicUrl()).hostname || isLocalName(hostname);
}

/** Names without a dot, and domains reserved for local use (RFC 6761, 6762, 8375; ICANN). */
function isLocalName(hostname: string): boolean {
  if (isIP(hostname.replace(/^\[(.*)\]$/, "$1")) > 0) return true;
  return !hostname.includes(".") || /\.(localhost|local|internal|home\.arpa)$/.test(hostname);
}
