"use client";
import { useQueryClient } from "@tanstack/react-query";
import { useCallback, useEffect } from "react";
import { trpc } from "@/components/trpc/client.tsx";

export const refreshEvery = 30_000;

/** Asks again for all that Control Tower shows, in one request. Whatever learns of a change calls this. */
export function useRefresh(): () => void {
  const utils = trpc.useUtils();
  return useCallback(() => void utils.controlTower.invalidate(), [utils]);
}

/** When the next refresh is due. The first figures may bear the service's clock, which need not agree with ours. */
export function refreshIn(askedAt: number, now: number): number {
  return Math.min(Math.max(askedAt + refreshEvery - now, 0), refreshEvery);
}

/**
 * Refreshes 30 s after the service was last asked, whether or not it answered, and after everything that was done
 * here; not while nobody looks.
 */
export function useAutoRefresh(askedAt: number, refresh: () => void): void {
  const queryClient = useQueryClient();

  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const wait = () => {
      clearTimeout(timer);
      if (!document.hidden) timer = setTimeout(refresh, refreshIn(askedAt, Date.now()));
    };
    wait();
    document.addEventListener("visibilitychange", wait);
    return () => {
      clearTimeout(timer);
      document.removeEventListener("visibilitychange", wait);
    };
  }, [askedAt, refresh]);

  useEffect(
    () =>
      queryClient.getMutationCache().subscribe((event) => {
        if (event.type === "updated" && event.action.type === "success") refresh();
      }),
    [queryClient, refresh],
  );
}
