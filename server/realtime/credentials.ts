import { hkdfSync } from "node:crypto";
import { env, type Settings } from "../env.ts";

/** The credentials of publishers and sign-ins, in the terms of the Pusher protocol. Only the key is public. */
export type HubCredentials = { appId: string; key: string; secret: string };

/** A Pusher-compatible service to send events to, with its addresses for this process and for browsers. */
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
 * The credentials of the hub in this process, derived from NEXTAUTH_SECRET: all processes of an installation have the
 * same without storing or configuring anything, and they reveal nothing about that secret.
 */
export function ownCredentials(secret: string | undefined = process.env.NEXTAUTH_SECRET): HubCredentials {
  if (!secret) throw new Error("NEXTAUTH_SECRET is set before the hub is used");
  const derive = (purpose: string, bytes: number) =>
    Buffer.from(hkdfSync("sha256", secret, "", `plumbline hub ${purpose}`, bytes)).toString("hex");
  return { appId: "plumbline", key: derive("key", 10), secret: derive("secret", 32) };
}

/** The credentials that sign sign-ins: the external service's, if there is one. */
export function hubCredentials(): HubCredentials {
  return externalHub() ?? ownCredentials();
}
