"use client";
import { useEffect, useState } from "react";
import { Button } from "@/components/ui/button.tsx";
import { formatRelative } from "@/components/ui/format.ts";
import { RotateCw } from "@/components/ui/icons.tsx";
import { useZone } from "@/components/ui/zone.tsx";
import { refreshIn } from "./use-refresh.ts";

/** The age of the figures and the time of the next refresh, in seconds; click to refresh now. */
export function RefreshClock({
  updatedAt,
  askedAt,
  isFetching,
  onRefresh,
}: {
  updatedAt: number;
  askedAt: number;
  isFetching: boolean;
  onRefresh: () => void;
}) {
  const now = useSeconds();
  const zone = useZone();
  const seconds = now === null ? null : Math.ceil(refreshIn(askedAt, now) / 1000);
  const age =
    now === null || updatedAt === 0
      ? ""
      : `updated ${formatRelative(new Date(Math.min(updatedAt, now)), new Date(now), zone)}`;
  return (
    <span className="flex items-center gap-2 text-xs text-ink-3 tabular-nums">
      <span aria-hidden className="hidden min-w-28 text-right @6xl:inline">
        {age}
      </span>
      <Button
        variant="ghost"
        icon={RotateCw}
        pending={isFetching}
        aria-label="Refresh now"
        title={age === "" ? "Refresh now" : `Refresh now; ${age}`}
        className="-mr-2 px-2 text-xs font-normal"
        onClick={onRefresh}
      >
        <span aria-hidden className="min-w-7 text-right">
          {seconds === null ? "" : `${seconds}\u00a0s`}
        </span>
      </Button>
    </span>
  );
}

/** The time, updated every second while the page is visible; null until hydrated. */
function useSeconds(): number | null {
  const [now, setNow] = useState<number | null>(null);
  useEffect(() => {
    const tick = () => !document.hidden && setNow(Date.now());
    tick();
    const timer = setInterval(tick, 1000);
    document.addEventListener("visibilitychange", tick);
    return () => {
      clearInterval(timer);
      document.removeEventListener("visibilitychange", tick);
    };
  }, []);
  return now;
}
