import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import PusherClient from "pusher-js";
import { onTestFinished } from "vitest";
import { WebSocket } from "ws";
import { handleServerCall, handleUserAuth } from "../doors/rest/hub.ts";
import { routeUpgrades } from "../process/upgrades.ts";
import { clientConfig } from "../realtime/client-config.ts";
import { startHub } from "../realtime/hub.ts";
import type { HubLimits } from "../realtime/limits.ts";

/** The hub and its endpoints on their own port, as the process serves them. */
export async function aHubServer(limits: Partial<HubLimits> = {}, at = 0) {
  const hub = await startHub(limits);
  const server = createServer(async (message, response) => {
    const request = await requestOf(message);
    const isServerCall = new URL(request.url).pathname.startsWith("/svc/api/hub/apps/");
    const answer = await (isServerCall ? handleServerCall : handleUserAuth)(request);
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

/** A pusher-js configured like a browser's; it signs in with the session of this cookie. */
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

/** A signed-in client, with all events that its user receives. */
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

/** A raw WebSocket, and everything that it received. */
export async function aSocket(port: number, { path = hubAddress(), ...options }: RawOptions = {}) {
  const socket = new WebSocket(`ws://127.0.0.1:${port}${path}`, options);
  onTestFinished(() => socket.terminate());
  const frames: Frame[] = [];
  const waiting: { event: string; resolve: (frame: Frame) => void }[] = [];
  socket.on("message", (data) => {
    const frame = JSON.parse(String(data)) as Frame;
    const index = waiting.findIndex(({ event }) => event === frame.event);
    if (index >= 0) waiting.splice(index, 1)[0]?.resolve(frame);
    else frames.push(frame);
  });
  const closed = new Promise<{ code: number; reason: string }>((resolve) => {
    socket.on("close", (code, reason) => resolve({ code, reason: String(reason) }));
  });
  // Errors are reported by `closed` or `opened`.
  socket.on("error", () => {});
  /** The next frame of this event that has not been taken. */
  const take = (event: string) => {
    const index = frames.findIndex((frame) => frame.event === event);
    const [found] = index >= 0 ? frames.splice(index, 1) : [];
    return found ? Promise.resolve(found) : new Promise<Frame>((resolve) => waiting.push({ event, resolve }));
  };
  const send = (event: string, data: unknown) => socket.send(JSON.stringify({ event, data }));
  return { socket, closed, take, send, frames };
}

type Frame = { event: string; channel?: string; data: string | Record<string, unknown> };
type RawOptions = { path?: string; headers?: Record<string, string>; autoPong?: boolean };

export const hubAddress = (key = clientConfig().key, query = "?protocol=7&client=test&version=1") =>
  `/svc/api/hub/app/${key}${query}`;

/** A socket that the hub has accepted, with its id there. */
export async function anAcceptedSocket(port: number, options: RawOptions = {}) {
  const raw = await aSocket(port, options);
  const { data } = await raw.take("pusher:connection_established");
  const { socket_id: socketId } = JSON.parse(String(data)) as { socket_id: string };
  return { ...raw, socketId };
}

/** A socket signed in with the session of this cookie. */
export async function aSignedInSocket(port: number, cookie: string, options: RawOptions = {}) {
  const raw = await anAcceptedSocket(port, options);
  raw.send("pusher:signin", await userAuth(port, raw.socketId, cookie));
  await raw.take("pusher:signin_success");
  return raw;
}
