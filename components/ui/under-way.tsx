"use client";
/**
 * UnderWay: work in progress, in a line above the page's content. `Elapsed` counts seconds; `useHeldFor` avoids
 * layout shifts for work that finishes quickly.
 */
import { type ReactNode, useEffect, useState } from "react";
import { formatDuration } from "./format.ts";

export function UnderWay({ children }: { children: ReactNode }) {
  return (
    <div
      role="status"
      className="mb-4 flex flex-wrap items-center gap-x-3 gap-y-1.5 rounded-md border px-3 py-2"
    >
      {children}
    </div>
  );
}

/** Visual only: a screen reader would announce it every second. */
export function Elapsed({ since }: { since: number }) {
  const [now, setNow] = useState(since);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 500);
    return () => clearInterval(timer);
  }, []);
  const seconds = Math.floor((now - since) / 1000);
  return (
    <span aria-hidden className="text-ink-2 tabular-nums">
      {seconds > 0 && (seconds < 60 ? `${seconds} s` : formatDuration(seconds * 1000))}
    </span>
  );
}

/** Whether a condition has held for this long. */
export function useHeldFor(isSo: boolean, milliseconds: number): boolean {
  const [isStill, setIsStill] = useState(false);
  useEffect(() => {
    if (!isSo) return setIsStill(false);
    const timer = setTimeout(() => setIsStill(true), milliseconds);
    return () => clearTimeout(timer);
  }, [isSo, milliseconds]);
  return isStill;
}
