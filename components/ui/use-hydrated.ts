"use client";
import { useSyncExternalStore } from "react";

/**
 * False on the server and during hydration, then true. For state that one part of a page may have before another
 * part is hydrated: rendering it at once would differ from the server's HTML.
 */
export function useHydrated(): boolean {
  return useSyncExternalStore(
    subscribe,
    () => true,
    () => false,
  );
}

const subscribe = () => () => {};
