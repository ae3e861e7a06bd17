"use client";
/**
 * Moment: a relative time ("4 min ago") in a `<time>`, with the exact time and zone on hover. All moments update
 * on the same tick. `exact` shows the exact time instead. Shows `fallback` ("never") for null.
 */
import { useSyncExternalStore } from "react";
import { formatExact, formatRelative } from "./format.ts";
import { useZone } from "./zone.tsx";

const listeners = new Set<() => void>();
let now = 0;
let timer: ReturnType<typeof setInterval> | undefined;

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  timer ??= setInterval(() => {
    now = Date.now();
    for (const each of listeners) each();
  }, 10_000);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

function currentTime(): number {
  // A listener added between ticks must not see a time older than the first tick.
  if (timer === undefined || now === 0) now = Date.now();
  return now;
}

/** The time of the last tick, or null on the server and during hydration, when both renders must match. */
export function useNow(): number | null {
  return useSyncExternalStore<number | null>(subscribe, currentTime, () => null);
}

export function Moment({
  at,
  exact = false,
  fallback = "never",
  className,
}: {
  at: string | Date | null | undefined;
  exact?: boolean;
  fallback?: string;
  className?: string;
}) {
  const shared = useNow();
  const zone = useZone();
  if (!at) return <span className={className ?? "text-ink-3"}>{fallback}</span>;
  const date = new Date(at);
  const seenFrom = new Date(Math.max(shared ?? 0, shared === null ? Date.now() : 0));
  return (
    <time
      dateTime={date.toISOString()}
      title={formatExact(date, zone)}
      className={className ?? "whitespace-nowrap"}
      suppressHydrationWarning
    >
      {exact ? formatExact(date, zone) : formatRelative(date, seenFrom, zone)}
    </time>
  );
}
