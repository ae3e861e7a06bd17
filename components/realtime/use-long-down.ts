"use client";
import { useEffect, useState, useSyncExternalStore } from "react";
import { liveState, liveStateOnServer, watchLiveState } from "./live-events.ts";

const useLiveState = () => useSyncExternalStore(watchLiveState, liveState, liveStateOnServer);

/** Whether events have been missing for so long that waiting users should know. */
export function useLongDown(afterMs = 15_000): boolean {
  const { downSince } = useLiveState();
  const [isLong, setIsLong] = useState(false);
  useEffect(() => {
    setIsLong(false);
    if (downSince === null) return;
    const timer = setTimeout(() => setIsLong(true), Math.max(0, downSince + afterMs - Date.now()));
    return () => clearTimeout(timer);
  }, [downSince, afterMs]);
  return isLong;
}
