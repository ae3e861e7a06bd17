import type PusherClient from "pusher-js";
import type { HubEvent, HubEventData, HubEventName } from "@/server/realtime/events.ts";
import { openPusher } from "./open-pusher.ts";

/**
 * The tab's single connection to the hub: opened with the console, kept open, and reopened when lost. Nothing depends
 * on it: pages also poll.
 */
export type LiveState = {
  /** Events are arriving. */
  isLive: boolean;
  /** Since when they have not been arriving, although they should; milliseconds since 1970. */
  downSince: number | null;
};

type Handler = (data: never) => void;

/** Reconnect delays grow and are randomized, so that clients don't all reconnect at once. */
const firstPauseMs = 2_000;
const longestPauseMs = 30_000;

export const pauseBefore = (attempt: number, chance = Math.random()) =>
  Math.min(longestPauseMs, firstPauseMs * 2 ** attempt) * (0.5 + chance / 2);

const handlers = new Map<HubEventName, Set<Handler>>();
const watchers = new Set<() => void>();
const arrivals = new Set<(isFirst: boolean) => void>();

let state: LiveState = { isLive: false, downSince: null };
let running: { stop(): void } | null = null;

export const liveState = () => state;
const atRest: LiveState = { isLive: false, downSince: null };
export const liveStateOnServer = () => atRest;

export function watchLiveState(watcher: () => void): () => void {
  watchers.add(watcher);
  return () => watchers.delete(watcher);
}

/** Calls the handler for every event with this name; returns a function to stop. */
export function onHubEvent<Name extends HubEventName>(
  name: Name,
  handler: (data: HubEventData<Name>) => void,
): () => void {
  const own = handlers.get(name) ?? new Set();
  handlers.set(name, own.add(handler as Handler));
  return () => own.delete(handler as Handler);
}

/**
 * Calls back whenever events start arriving. Anything before that was missed: since the page load the first time,
 * since the connection was lost every other time.
 */
export function onLive(arrival: (isFirst: boolean) => void): () => void {
  arrivals.add(arrival);
  return () => arrivals.delete(arrival);
}

/** Connects and stays connected; returns a function to disconnect. */
export function goLive(): () => void {
  running?.stop();
  const own = begin();
  running = own;
  return () => {
    own.stop();
    if (running === own) running = null;
  };
}

function become(isLive: boolean): void {
  if (state.isLive === isLive && (isLive || state.downSince !== null)) return;
  state = { isLive, downSince: isLive ? null : Date.now() };
  for (const watcher of watchers) watcher();
}

function begin(): { stop(): void } {
  let pusher: PusherClient | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let attempt = 0;
  let hasBeenLive = false;
  let isStopped = false;
  let turn = 0;

  async function connect(): Promise<void> {
    leave();
    turn += 1;
    const own = turn;
    try {
      const opened = await openPusher({
        onLive: arrived,
        onEvent: dispatch,
        onPause: () => become(false),
        onLost: later,
        onSignedOut: stop,
      });
      if (isStopped || own !== turn) opened?.disconnect();
      else if (opened) pusher = opened;
      else stop();
    } catch {
      later();
    }
  }

  function arrived(): void {
    attempt = 0;
    clearTimeout(timer);
    timer = undefined;
    become(true);
    for (const arrival of arrivals) arrival(!hasBeenLive);
    hasBeenLive = true;
  }

  function later(): void {
    if (isStopped) return;
    become(false);
    timer ??= setTimeout(again, pauseBefore(attempt));
  }

  function again(): void {
    timer = undefined;
    attempt += 1;
    void connect();
  }

  function atOnce(): void {
    if (state.isLive) return;
    clearTimeout(timer);
    again();
  }

  function leave(): void {
    const left = pusher;
    pusher = null;
    left?.unbind_all();
    left?.connection.unbind_all();
    left?.disconnect();
  }

  function stop(): void {
    isStopped = true;
    clearTimeout(timer);
    window.removeEventListener("online", atOnce);
    leave();
    state = atRest;
    for (const watcher of watchers) watcher();
  }

  window.addEventListener("online", atOnce);
  void connect();
  return { stop };
}

function dispatch({ name, data }: HubEvent): void {
  for (const handler of [...(handlers.get(name) ?? [])]) handler(data as never);
}
