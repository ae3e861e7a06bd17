import Pusher from "pusher";
import { type ExternalHub, externalHub } from "./credentials.ts";

const timeoutMs = 10_000;
let client: Pusher | undefined;

const connect = ({ appId, key, secret, apiHost, port, tls }: ExternalHub) =>
  new Pusher({ appId, key, secret, host: apiHost, port: String(port), useTLS: tls, timeout: timeoutMs });

/** Sends an event to a user through the configured Pusher-compatible service. Does nothing without one. */
export async function sendToExternal(userId: number, name: string, data: unknown): Promise<void> {
  const service = externalHub();
  if (!service) return;
  client ??= connect(service);
  await client.sendToUser(String(userId), name, data);
}
