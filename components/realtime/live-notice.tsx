"use client";
import { Unplug } from "@/components/ui/icons.tsx";
import { useLongDown } from "./use-long-down.ts";

/** For pages where people wait for each other: a quiet note that the page may be slightly outdated. */
export function LiveNotice() {
  const isDown = useLongDown();
  return (
    <p role="status" className="text-ink-3 text-sm empty:hidden">
      {isDown && (
        <span className="inline-flex items-center gap-1.5">
          <Unplug aria-hidden className="size-4 shrink-0" />
          Live updates are interrupted. Until they resume, this page checks for changes periodically.
        </span>
      )}
    </p>
  );
}
