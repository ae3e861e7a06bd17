import type PusherClient from "pusher-js";
import type { HubEvent } from "@/server/realtime/events.ts";
import type { HubConfig } from "@/server/realtime/schema.ts";

type Ears = {
  /** Signed in: from now on events arrive. */
  onLive(): void;
  onEvent(event: HubEvent): void;
  /** The connection is lost, and is being made again. */
  onPause(): void;
  /** None comes about, for now or at all. */
  onLost(): void;
  /** There is no session any more. */
  onSignedOut(): void;
};

const root = "/svc/api/hub";

const patienceMs = 15_000;

/** null when nobody is signed in. Throws when the service does not answer. */
async function ask<Answer>(path: string, init?: RequestInit): Promise<Answer | null> {
  const response = await fetch(`${root}${path}`, {
    ...{ cache: "no-store", signal: AbortSignal.timeout(patienceMs) },
    ...init,
  });
  if (response.status === 401 || response.status === 403) return null;
  if (!response.ok) throw new Error(`${path} answered ${response.status}`);
  return (await response.json()) as Answer;
}

/** Opens a connection and signs in on it, again whenever it is made anew. null when nobody is signed in. */
export async function openPusher(ears: Ears): Promise<PusherClient | null> {
  const config = await ask<HubConfig>("/config");
  if (!config) return null;
  // Not in what every page loads first.
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
          (signed) => (signed ? callback(null, signed) : ears.onSignedOut()),
          (error: Error) => callback(error, null),
        );
      },
    },
  });
  pusher.connection.bind("message", ({ event }: { event: string }) => {
    if (event === "pusher:signin_success") ears.onLive();
  });
  pusher.connection.bind("state_change", ({ current }: { current: string }) => {
    if (current === "connecting") ears.onPause();
    else if (current !== "connected") ears.onLost();
  });
  pusher.user.bind("pusher:signin_error", ears.onLost);
  pusher.user.bind_global((name: string, data: unknown) => {
    const event = readHubEvent(name, data);
    if (event) ears.onEvent(event);
  });
  pusher.signin();
  return pusher;
}

/** The hub of this service is where the page is from, by whichever of its names that is. */
function reachable({ host, port, path, tls }: HubConfig): { host: string; port: number; tls: boolean } {
  if (path !== root) return { host, port, tls };
  const { hostname, port: ownPort, protocol } = window.location;
  const isSecure = protocol === "https:";
  return { host: hostname, port: Number(ownPort) || (isSecure ? 443 : 80), tls: isSecure };
}
