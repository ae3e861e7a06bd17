import type Pusher from "pusher";
import { type ExternalHub, externalHub } from "./credentials.ts";

const timeoutMs = 10_000;
let client: Promise<Pusher> | undefined;

async function connect({ appId, key, secret, apiHost, port, tls }: ExternalHub): Promise<Pusher> {
  const { default: Client } = await import("pusher");
  return new Client({
    appId,
    key,
    secret,
    host: apiHost,
    port: String(port),
    useTLS: tls,
    timeout: timeoutMs,
  });
}

/** Sends an event to a user through the configured Pusher-compatible service. Does nothing without one. */
export async function sendToExternal(userId: number, name: string, data: unknown): Promise<void> {
  const service = externalHub();
  if (!service) return;
  client ??= connect(service);
  await (await client).sendToUser(String(userId), name, data);
}
