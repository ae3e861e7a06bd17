import Pusher from "pusher";
import { type ExternalHub, externalHub } from "./credentials.ts";

const patienceMs = 10_000;
let client: Pusher | undefined;

const connect = ({ appId, key, secret, apiHost, port, tls }: ExternalHub) =>
  new Pusher({ appId, key, secret, host: apiHost, port: String(port), useTLS: tls, timeout: patienceMs });

/** Has the configured Pusher-compatible service send an event to a user. Without one there is nothing to do. */
export async function sendToExternal(userId: number, name: string, data: unknown): Promise<void> {
  const service = externalHub();
  if (!service) return;
  client ??= connect(service);
  await client.sendToUser(String(userId), name, data);
}
