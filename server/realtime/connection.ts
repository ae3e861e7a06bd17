import { randomInt } from "node:crypto";
import { WebSocket } from "ws";
import type { HubUser } from "./hub-user.ts";
import type { HubLimits } from "./limits.ts";
import { type Closing, errorFrame, establishedFrame, pingFrame } from "./protocol.ts";

/** A WebSocket of the hub, with its state. */
export type HubConnection = {
  readonly socketId: string;
  readonly caller: string;
  readonly openedAt: number;
  user: HubUser | null;
  isSigningIn: boolean;
  send(frame: string): void;
  /** Sends the reason in a frame, then closes with its code. */
  close(closing: Closing): void;
  /** Notes a message from the client, as a sign of life. False if there are too many. */
  heard(): boolean;
  /** Pings an idle client; true if it has not responded in time. */
  isDead(now: number): boolean;
};

const highest = 2 ** 47;
/** Unguessable, so that nobody can obtain a sign-in signature for another's socket. */
const makeSocketId = () => `${randomInt(1, highest)}.${randomInt(1, highest)}`;

export function openConnection(socket: WebSocket, caller: string, limits: HubLimits): HubConnection {
  const socketId = makeSocketId();
  const openedAt = Date.now();
  let heardAt = openedAt;
  let pingedAt: number | null = null;
  let allowance = limits.messageBurst;

  function send(frame: string): void {
    if (socket.readyState !== WebSocket.OPEN) return;
    // A closing handshake would wait behind everything unread.
    if (socket.bufferedAmount > limits.unread) socket.terminate();
    else socket.send(frame);
  }

  function close({ code, message }: Closing): void {
    send(errorFrame(code, message));
    socket.close(code, message);
    setTimeout(() => socket.terminate(), limits.closeMs).unref();
  }

  function heard(): boolean {
    const now = Date.now();
    const earned = ((now - heardAt) / 1000) * limits.messagesPerSecond;
    allowance = Math.min(limits.messageBurst, allowance + earned) - 1;
    heardAt = now;
    pingedAt = null;
    return allowance >= 0;
  }

  function isDead(now: number): boolean {
    if (pingedAt !== null) return now - pingedAt > limits.pongMs;
    // The client sends its own ping first, unless it is gone.
    if (now - heardAt > limits.activityMs + limits.sweepMs) {
      pingedAt = now;
      send(pingFrame);
    }
    return false;
  }

  send(establishedFrame(socketId, limits.activityMs / 1000));
  return { socketId, caller, openedAt, user: null, isSigningIn: false, send, close, heard, isDead };
}
