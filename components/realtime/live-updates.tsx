"use client";
import { useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import type { HubEvent } from "@/server/realtime/events.ts";
import { useSessionReturns } from "../auth/use-lost-session.ts";
import { goLive, onHubEvent, onLive } from "./live-events.ts";
import { awaited, changedBy, eventNames } from "./what-changed.ts";

/** Events that arrive together cause one refetch. */
const gatherMs = 100;

/**
 * Keeps the console up to date: connects this tab to the hub, refetches what an event changes, and refetches the whole
 * page after a lost connection. Renders nothing.
 */
export function LiveUpdates() {
  const queryClient = useQueryClient();
  // The hub drops expired sessions; connect again with the new one.
  const returns = useSessionReturns();
  // biome-ignore lint/correctness/useExhaustiveDependencies: `returns` triggers the reconnect
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
