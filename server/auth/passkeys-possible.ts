import { isIP } from "node:net";
import { publicUrl } from "../env.ts";

/** Browsers know passkeys on https and on localhost, and not for IP addresses. */
export function passkeysPossible(): boolean {
  const { protocol, hostname } = new URL(publicUrl());
  if (isIP(hostname.replace(/^\[(.*)\]$/, "$1")) > 0) return false;
  return protocol === "https:" || hostname === "localhost" || hostname.endsWith(".localhost");
}
