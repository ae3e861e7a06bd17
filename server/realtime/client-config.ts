import { publicUrl } from "../env.ts";
import { externalHub, ownCredentials } from "./credentials.ts";
import { hubPath } from "./protocol.ts";
import type { HubConfig } from "./schema.ts";

/** Where clients connect: to the configured service, or to this one at its public address. */
export function clientConfig(): HubConfig {
  const external = externalHub();
  if (external) {
    const { key, host, port, tls } = external;
    return { key, host, port, path: "", tls };
  }
  const { hostname, port, protocol } = new URL(publicUrl());
  const tls = protocol === "https:";
  const { key } = ownCredentials();
  return { key, host: hostname, port: Number(port) || (tls ? 443 : 80), path: hubPath, tls };
}
