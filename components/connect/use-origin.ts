"use client";
import { useSyncExternalStore } from "react";

const never = () => () => {};

/**
 * The address at which clients reach the service, without a slash at the end: the one that it is configured with, or
 * else the one at which this page was reached, which only the browser knows.
 */
export function useOrigin(publicUrl: string | null): string | null {
  return useSyncExternalStore(
    never,
    () => publicUrl ?? window.location.origin,
    () => publicUrl,
  );
}
