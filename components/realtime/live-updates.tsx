"use client";
import { useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import type { HubEvent } from "@/server/realtime/events.ts";
import { useSessionReturns } from "../auth/use-lost-session.ts";
import { goLive, onHubEvent, onLive } from "./live-events.ts";
import { awaited, changedBy, eventNames } from "./what-changed.ts";

/** Several events of one moment are one reason to ask. */
const gatherMs = 100;

/**
 * Keeps the console's pages true: connects this tab to the hub, has what an event changes asked for again, and
 * everything on the page once after the connection was lost. Shows nothing.
 */
export function LiveUpdates() {
  const queryClient = useQueryClient();
  // The hub lets go of a session that has ended; the next one connects anew.
  const returns = useSessionReturns();
  // biome-ignore lint/correctness/useExhaustiveDependencies: `returns` is when to connect anew
  useEffect(() => {
    const stale = new Set<string>();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const refresh = (parts: readonly string[]) => {
      for (const part of parts) stale.add(part);
      timer ??= setTimeout(() => {
        timer = undefined;
        for (const part of stale) void queryClient.invalidateQueries({ queryKey: [[part]] });
        stale.clear();
      }, gatherMs);
    };
    const ends = [
      ...eventNames.map((name) => onHubEvent(name, (data) => refresh(changedBy({ name, data } as HubEvent)))),
      onLive((isFirst) => (isFirst ? refresh(awaited) : void queryClient.invalidateQueries())),
      goLive(),
    ];
    return () => {
      clearTimeout(timer);
      for (const end of ends) end();
    };
  }, [queryClient, returns]);
  return null;
}
