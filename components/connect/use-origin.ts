"use client";
import { useSyncExternalStore } from "react";

const never = () => () => {};

/**
 * The URL at which clients reach the service, without a trailing slash: the configured one, otherwise the origin of
 * this page, which only the browser knows.
 */
export function useOrigin(publicUrl: string | null): string | null {
  return useSyncExternalStore(
    never,
    () => publicUrl ?? window.location.origin,
    () => publicUrl,
  );
}
