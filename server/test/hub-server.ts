import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import PusherClient from "pusher-js";
import { onTestFinished } from "vitest";
import { clientConfig } from "../realtime/client-config.ts";
import { startHub } from "../realtime/hub.ts";
import type { HubLimits } from "../realtime/limits.ts";
import { handleServerCall, handleUserAuth } from "../rest-hub.ts";
import { routeUpgrades } from "../upgrades.ts";

/** The hub and its doors on a port of their own, as the process serves them. */
export async function aHubServer(limits: Partial<HubLimits> = {}, at = 0) {
  const hub = await startHub(limits);
  const server = createServer(async (message, response) => {
    const request = await requestOf(message);
    const [, appId = "", resource = ""] =
      /^\/svc\/api\/hub\/apps\/([^/]+)\/([^/]+)$/.exec(new URL(request.url).pathname) ?? [];
    const answer = appId ? await handleServerCall(request, appId, resource) : await handleUserAuth(request);
    response.writeHead(answer.status, Object.fromEntries(answer.headers)).end(await answer.text());
  });
  server.on("upgrade", routeUpgrades({ hub, addressOf: (request) => request.socket.remoteAddress ?? "" }));
  server.listen(at, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const stop = async () => {
    await hub.stop();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  onTestFinished(stop);
  return { hub, port, stop };
}

async function requestOf(message: IncomingMessage): Promise<Request> {
  const chunks: Buffer[] = [];
  for await (const chunk of message) chunks.push(chunk as Buffer);
  const headers = new Headers(Object.entries(message.headers).map(([name, value]) => [name, String(value)]));
  const body = chunks.length > 0 ? Buffer.concat(chunks) : null;
  return new Request(`http://${message.headers.host}${message.url}`, {
    method: message.method ?? "GET",
    headers,
    body,
  });
}

/** A pusher-js that is told, as a browser is, where to connect; it signs in with the session of this cookie. */
export async function aClient(port: number, cookie: string | null) {
  const pusher = new PusherClient(clientConfig().key, {
    cluster: "",
    wsHost: "127.0.0.1",
    wsPort: port,
    wsPath: "/svc/api/hub",
    forceTLS: false,
    enabledTransports: ["ws"],
    userAuthentication: {
      transport: "ajax",
      endpoint: "",
      // Outside of a browser its own request cannot carry a cookie.
      customHandler: ({ socketId }, callback) => {
        userAuth(port, socketId, cookie).then(
          (response) => callback(null, response),
          (error) => callback(error, null),
        );
      },
    },
  });
  onTestFinished(() => pusher.disconnect());
  return pusher;
}

export async function userAuth(port: number, socketId: string, cookie: string | null) {
  const response = await fetch(`http://127.0.0.1:${port}/svc/api/hub/user-auth`, {
    method: "POST",
    body: new URLSearchParams({ socket_id: socketId }),
    headers: cookie ? { cookie } : {},
  });
  if (!response.ok) throw new Error(`user-auth answered ${response.status}`);
  return (await response.json()) as { auth: string; user_data: string };
}

/** One that has signed in, with all that its user is told. */
export async function aListener(port: number, cookie: string) {
  const pusher = await aClient(port, cookie);
  const heard: { name: string; data: unknown }[] = [];
  pusher.user.bind_global((name: string, data: unknown) => heard.push({ name, data }));
  pusher.signin();
  await signedIn(pusher);
  return { pusher, heard, next: () => nextEvent(pusher) };
}

export async function signedIn(pusher: PusherClient): Promise<void> {
  await new Promise<void>((resolve) => {
    pusher.connection.bind("message", ({ event }: { event: string }) => {
      if (event === "pusher:signin_success") resolve();
    });
  });
}

/** The next event for the user that `pusher` has signed in as. */
export function nextEvent(pusher: PusherClient): Promise<{ name: string; data: unknown }> {
  return new Promise((resolve) => {
    const listener = (name: string, data: unknown) => {
      pusher.user.unbind_global(listener);
      resolve({ name, data });
    };
    pusher.user.bind_global(listener);
  });
}
