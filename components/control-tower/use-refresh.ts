"use client";
import { useQueryClient } from "@tanstack/react-query";
import { useCallback, useEffect } from "react";
import { trpc } from "@/components/trpc/client.tsx";

export const refreshEvery = 30_000;

/** Refetches all of Control Tower in one request. Call it after any change. */
export function useRefresh(): () => void {
  const utils = trpc.useUtils();
  return useCallback(() => {
    void utils.controlTower.invalidate();
    void utils.subscriptions.recentValues.invalidate();
  }, [utils]);
}

/** Milliseconds until the next refresh. The first data may carry the server's clock, which may differ from ours. */
export function refreshIn(askedAt: number, now: number): number {
  return Math.min(Math.max(askedAt + refreshEvery - now, 0), refreshEvery);
}

/**
 * Refreshes 30 s after the last request, answered or not, and after every action on the page; not while the page is
 * hidden.
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
