import { hkdfSync } from "node:crypto";
import { env, type Settings } from "../env.ts";

/** What a publisher or a sign-in is proved with, in the words of the Pusher protocol. The key alone is public. */
export type HubCredentials = { appId: string; key: string; secret: string };

/** A Pusher-compatible service that events go to: where this process and browsers reach it. */
export type ExternalHub = HubCredentials & { apiHost: string; host: string; port: number; tls: boolean };

/** The configured service, or null for the hub in this process. */
export function externalHub(settings: Settings = env()): ExternalHub | null {
  const { PUSHER_APP_ID, PUSHER_KEY, PUSHER_SECRET, PUSHER_CLUSTER, PUSHER_HOST } = settings;
  if (!PUSHER_APP_ID || !PUSHER_KEY || !PUSHER_SECRET) return null;
  const credentials = { appId: PUSHER_APP_ID, key: PUSHER_KEY, secret: PUSHER_SECRET };
  if (PUSHER_CLUSTER) {
    const at = (kind: string) => `${kind}-${PUSHER_CLUSTER}.pusher.com`;
    return { ...credentials, apiHost: at("api"), host: at("ws"), port: 443, tls: true };
  }
  const { protocol, hostname, port } = new URL(PUSHER_HOST ?? "");
  const tls = protocol === "https:";
  return { ...credentials, apiHost: hostname, host: hostname, port: Number(port) || (tls ? 443 : 80), tls };
}

/** Where browsers open WebSockets at the configured service: `wss://push.example.com:6001`. */
export function externalOrigin(hub: ExternalHub | null = externalHub()): string | undefined {
  return hub ? `${hub.tls ? "wss" : "ws"}://${hub.host}:${hub.port}` : undefined;
}

/**
 * Of the hub in this process. They are derived from NEXTAUTH_SECRET, so that all processes of one installation have
 * the same without anything more to be kept or configured, and none of them says anything about that secret.
 */
export function ownCredentials(secret: string | undefined = process.env.NEXTAUTH_SECRET): HubCredentials {
  if (!secret) throw new Error("NEXTAUTH_SECRET is set before the hub is used");
  const derive = (purpose: string, bytes: number) =>
    Buffer.from(hkdfSync("sha256", secret, "", `plumbline hub ${purpose}`, bytes)).toString("hex");
  return { appId: "plumbline", key: derive("key", 10), secret: derive("secret", 32) };
}

/** Those that sign-ins are signed with: the external service's, where there is one. */
export function hubCredentials(): HubCredentials {
  return externalHub() ?? ownCredentials();
}
