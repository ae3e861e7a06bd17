import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { type RawData, type WebSocket, WebSocketServer } from "ws";
import { endedSessionsChannel } from "../auth/service/end-sessions.ts";
import { findLiveSessions } from "../auth/service/find-session.ts";
import { changedAccessChannel } from "../auth/service/project-roles.ts";
import { sql } from "../db/client.ts";
import { log } from "../telemetry/log.ts";
import { type HubConnection, openConnection } from "./connection.ts";
import { ownCredentials } from "./credentials.ts";
import { type HubUser, readSignIn } from "./hub-user.ts";
import { type HubLimits, hubLimits } from "./limits.ts";
import { type HubMessage, hubChannel, readMessage } from "./notification.ts";
import {
  admissionOf,
  type Closing,
  channelOf,
  closings,
  errorFrame,
  eventFrame,
  type Frame,
  pongFrame,
  readFrame,
  signedInFrame,
  signInData,
  subscribeData,
  subscribedFrame,
  subscriptionRefusedFrame,
} from "./protocol.ts";

export type Hub = {
  /**
   * Takes over a WebSocket request. `caller` identifies unauthenticated clients for counting: an address or its
   * network.
   */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer, caller: string): void;
  /** The number of connections. */
  size(): number;
  /** Disconnects all clients, so that they reconnect to another process, and accepts no more. */
  stop(): Promise<void>;
};

/**
 * The hub in this process: speaks the Pusher protocol with browsers, and learns from the database which events to send
 * to whom. Every process can run one; a user's connections may be spread over them.
 *
 * Nothing is stored. Disconnected clients miss events, and so does everyone while the database is unreachable; clients
 * are then made to reconnect, and reload their data whenever they have.
 */
export async function startHub(changes: Partial<HubLimits> = {}): Promise<Hub> {
  const limits = { ...hubLimits, ...changes };
  const { key } = ownCredentials();
  const connections = new Set<HubConnection>();
  const byUser = new Map<number, Set<HubConnection>>();
  const strangers = new Map<string, number>();
  const server = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    perMessageDeflate: false,
    maxPayload: limits.largestMessage,
  });
  let isStopping = false;
  let emptied = Promise.withResolvers<void>();

  function admit(socket: WebSocket, url: URL, caller: string): void {
    // An error also ends the connection, which `close` handles.
    socket.on("error", (err) => log.debug({ err, caller }, "A hub connection failed"));
    const refusal = admissionOf(url, key) ?? crowding(caller);
    if (refusal) {
      refuse(socket, refusal);
      return;
    }
    const connection = openConnection(socket, caller, limits);
    connections.add(connection);
    strangers.set(caller, (strangers.get(caller) ?? 0) + 1);
    socket.on("message", (data, isBinary) => receive(connection, data, isBinary));
    socket.on("ping", () => {
      if (!connection.heard()) connection.close(closings.tooManyMessages);
    });
    socket.on("close", () => forget(connection));
  }

  function crowding(caller: string): Closing | null {
    if (isStopping) return closings.reconnect;
    const isFull = connections.size >= limits.connections;
    return isFull || (strangers.get(caller) ?? 0) >= limits.strangersOfCaller ? closings.overCapacity : null;
  }

  function refuse(socket: WebSocket, { code, message }: Closing): void {
    socket.send(errorFrame(code, message));
    socket.close(code, message);
    setTimeout(() => socket.terminate(), limits.closeMs).unref();
  }

  function receive(connection: HubConnection, data: RawData, isBinary: boolean): void {
    if (connection.heard()) answer(connection, isBinary ? null : readFrame(data.toString()));
    else connection.close(closings.tooManyMessages);
  }

  function answer(connection: HubConnection, frame: Frame | null): void {
    const refuse = (message: string, code: number | null = null) =>
      connection.send(errorFrame(code, message));
    if (!frame) refuse("Not a valid protocol message");
    else if (frame.event === "pusher:ping") connection.send(pongFrame);
    else if (frame.event === "pusher:signin") void signIn(connection, frame.data);
    else if (frame.event === "pusher:subscribe") subscribe(connection, frame.data);
    else if (frame.event.startsWith("client-")) refuse("Clients cannot send events", 4301);
    else if (frame.event !== "pusher:pong" && frame.event !== "pusher:unsubscribe") refuse("Unknown event");
  }

  async function signIn(connection: HubConnection, data: unknown): Promise<void> {
    if (connection.user || connection.isSigningIn) {
      connection.send(errorFrame(null, "This connection is already signed in"));
      return;
    }
    connection.isSigningIn = true;
    const parsed = signInData.safeParse(data);
    const user = parsed.success ? readSignIn(connection.socketId, parsed.data) : null;
    const refusal = user ? await sessionRefusal(user) : closings.notSignedIn;
    connection.isSigningIn = false;
    if (refusal) connection.close(refusal);
    else if (user && connections.has(connection)) enter(connection, user, parsed.data?.user_data ?? "");
  }

  async function sessionRefusal(user: HubUser): Promise<Closing | null> {
    try {
      const live = await findLiveSessions([user.sessionId]);
      return live.has(user.sessionId) ? null : closings.notSignedIn;
    } catch (err) {
      log.warn({ err }, "The hub could not check a session");
      return closings.overCapacity;
    }
  }

  function enter(connection: HubConnection, user: HubUser, userData: string): void {
    const own = byUser.get(user.id) ?? new Set();
    if (own.size >= limits.connectionsOfUser) {
      connection.close(closings.overQuota);
      return;
    }
    byUser.set(user.id, own.add(connection));
    uncountStranger(connection);
    connection.user = user;
    connection.send(signedInFrame(userData));
  }

  /** Signing in is enough to receive events; clients only expect the subscription to their channel to be confirmed. */
  function subscribe(connection: HubConnection, data: unknown): void {
    const parsed = subscribeData.safeParse(data);
    const channel = parsed.data?.channel;
    const isOwn = connection.user && channel === channelOf(connection.user.id);
    if (channel === undefined) connection.send(errorFrame(null, "A subscription names a channel"));
    else connection.send(isOwn ? subscribedFrame(channel) : subscriptionRefusedFrame(channel));
  }

  function forget(connection: HubConnection): void {
    if (!connections.delete(connection)) return;
    const { user } = connection;
    const own = user && byUser.get(user.id);
    if (own?.delete(connection) && own.size === 0) byUser.delete(user?.id ?? 0);
    if (!user) uncountStranger(connection);
    if (connections.size === 0) emptied.resolve();
  }

  /** The caller has signed in, or left without. */
  function uncountStranger({ caller }: HubConnection): void {
    const others = (strangers.get(caller) ?? 1) - 1;
    if (others > 0) strangers.set(caller, others);
    else strangers.delete(caller);
  }

  function hear(payload: string): void {
    const message = readMessage(payload);
    if (!message) log.warn("The hub received an invalid event");
    else for (const id of message.users) deliver(id, message);
  }

  function deliver(userId: number, { name, data }: HubMessage): void {
    const frame = eventFrame(name, data, channelOf(userId));
    for (const connection of byUser.get(userId) ?? []) connection.send(frame);
  }

  function closeAll(these: Iterable<HubConnection>, closing: Closing): void {
    for (const connection of [...these]) connection.close(closing);
  }

  function sweep(): void {
    const now = Date.now();
    for (const connection of connections) {
      const { user, openedAt } = connection;
      if (!user && now - openedAt > limits.signInMs) connection.close(closings.notSignedIn);
      else if (connection.isDead(now)) connection.close(closings.noPong);
    }
  }

  async function closeEnded(these: readonly HubConnection[]): Promise<void> {
    try {
      // Connections that sign in during this query were just checked, and are not included.
      const signedIn = these.filter(({ user }) => user !== null);
      const sessionOf = ({ user }: HubConnection) => user?.sessionId ?? 0;
      const live = await findLiveSessions([...new Set(signedIn.map(sessionOf))]);
      closeAll(
        signedIn.filter((connection) => !live.has(sessionOf(connection))),
        closings.notSignedIn,
      );
    } catch (err) {
      log.warn({ err }, "The hub could not check the sessions");
    }
  }

  let hasHeardBefore = false;
  const { unlisten } = await sql.listen(hubChannel, hear, () => {
    if (hasHeardBefore) closeAll(connections, closings.reconnect);
    hasHeardBefore = true;
  });
  // If a notification is missed while the database is unreachable, the check below finds ended sessions.
  const endings = await sql.listen(endedSessionsChannel, (userId) => {
    void closeEnded([...(byUser.get(Number(userId)) ?? [])]);
  });
  // Pages reload what they show once they have reconnected: what became visible, and what no longer is.
  const accesses = await sql.listen(changedAccessChannel, (userId) => {
    closeAll(byUser.get(Number(userId)) ?? [], closings.reconnect);
  });
  const sweeping = setInterval(sweep, limits.sweepMs);
  const checking = setInterval(() => void closeEnded([...connections]), limits.sessionsMs);

  async function stop(): Promise<void> {
    isStopping = true;
    clearInterval(sweeping);
    clearInterval(checking);
    emptied = Promise.withResolvers();
    closeAll(connections, closings.reconnect);
    // Clients that do not respond are cut off after `closeMs`.
    if (connections.size > 0) await emptied.promise;
    // Without the database there is nothing to unregister.
    await Promise.all([unlisten(), endings.unlisten(), accesses.unlisten()]).catch((err) =>
      log.debug({ err }, "The hub could not stop listening"),
    );
  }

  let stopped: Promise<void> | undefined;
  return {
    upgrade(request, socket, head, caller) {
      const url = new URL(request.url ?? "/", "http://hub.invalid");
      server.handleUpgrade(request, socket, head, (webSocket) => admit(webSocket, url, caller));
    },
    size: () => connections.size,
    stop: () => (stopped ??= stop()),
  };
}
