"use client";
import { useEffect, useRef } from "react";
import type { HubEventData, HubEventName } from "@/server/realtime/events.ts";
import { onHubEvent } from "./live-events.ts";

/**
 * Calls the handler for every event with this name while the component is mounted. Refetching happens without it: this
 * is for side effects, such as toasts.
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
