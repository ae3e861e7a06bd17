import type PusherClient from "pusher-js";
import type { HubEvent } from "@/server/realtime/events.ts";
import type { HubConfig } from "@/server/realtime/schema.ts";

type Listener = {
  /** Authenticated: events arrive from now on. */
  onLive(): void;
  onEvent(event: HubEvent): void;
  /** The connection was lost and is being reopened. */
  onPause(): void;
  /** No connection can be established, for now or at all. */
  onLost(): void;
  /** There is no session anymore. */
  onSignedOut(): void;
};

const root = "/svc/api/hub";

const timeoutMs = 15_000;

/** null if nobody is signed in. Throws if the service does not respond. */
async function ask<Answer>(path: string, init?: RequestInit): Promise<Answer | null> {
  const response = await fetch(`${root}${path}`, {
    ...{ cache: "no-store", signal: AbortSignal.timeout(timeoutMs) },
    ...init,
  });
  if (response.status === 401 || response.status === 403) return null;
  if (!response.ok) throw new Error(`${path} answered ${response.status}`);
  return (await response.json()) as Answer;
}

/** Opens a connection and authenticates, again after each reconnect. null if nobody is signed in. */
export async function openPusher(listener: Listener): Promise<PusherClient | null> {
  const config = await ask<HubConfig>("/config");
  if (!config) return null;
  // Kept out of the bundle that every page loads first.
  const [{ default: Pusher }, { readHubEvent }] = await Promise.all([
    import("pusher-js"),
    import("@/server/realtime/events.ts"),
  ]);
  const { host, port, tls } = reachable(config);
  const pusher = new Pusher(config.key, {
    cluster: "",
    wsHost: host,
    wsPort: port,
    wssPort: port,
    wsPath: config.path,
    forceTLS: tls,
    enabledTransports: ["ws"],
    unavailableTimeout: 5_000,
    userAuthentication: {
      transport: "ajax",
      endpoint: `${root}/user-auth`,
      customHandler: ({ socketId }, callback) => {
        ask<{ auth: string; user_data: string }>("/user-auth", {
          method: "POST",
          body: new URLSearchParams({ socket_id: socketId }),
        }).then(
          (signed) => (signed ? callback(null, signed) : listener.onSignedOut()),
          (error: Error) => callback(error, null),
        );
      },
    },
  });
  pusher.connection.bind("message", ({ event }: { event: string }) => {
    if (event === "pusher:signin_success") listener.onLive();
  });
  pusher.connection.bind("state_change", ({ current }: { current: string }) => {
    if (current === "connecting") listener.onPause();
    else if (current !== "connected") listener.onLost();
  });
  pusher.user.bind("pusher:signin_error", listener.onLost);
  pusher.user.bind_global((name: string, data: unknown) => {
    const event = readHubEvent(name, data);
    if (event) listener.onEvent(event);
  });
  pusher.signin();
  return pusher;
}

/** The hub is on the page's own host, under whatever name the browser used. */
function reachable({ host, port, path, tls }: HubConfig): { host: string; port: number; tls: boolean } {
  if (path !== root) return { host, port, tls };
  const { hostname, port: ownPort, protocol } = window.location;
  const isSecure = protocol === "https:";
  return { host: hostname, port: Number(ownPort) || (isSecure ? 443 : 80), tls: isSecure };
}
