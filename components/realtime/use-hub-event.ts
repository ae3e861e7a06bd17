"use client";
import { useEffect, useRef } from "react";
import type { HubEventData, HubEventName } from "@/server/realtime/events.ts";
import { onHubEvent } from "./live-events.ts";

/**
 * Calls the handler with every event of this name while the component is there. What has changed is asked for again
 * without it: it is for what a page does besides, as saying so.
 */
export function useHubEvent<Name extends HubEventName>(
  name: Name,
  handler: (data: HubEventData<Name>) => void,
): void {
  const latest = useRef(handler);
  useEffect(() => {
    latest.current = handler;
  });
  useEffect(() => onHubEvent(name, (data) => latest.current(data)), [name]);
}
