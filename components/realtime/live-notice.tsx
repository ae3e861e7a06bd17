"use client";
import { Unplug } from "lucide-react";
import { useLongDown } from "./use-long-down.ts";

/** For pages on which people wait for each other: says, quietly, that what they see may be a little old. */
export function LiveNotice() {
  const isDown = useLongDown();
  return (
    <p role="status" className="text-ink-3 text-sm empty:hidden">
      {isDown && (
        <span className="inline-flex items-center gap-1.5">
          <Unplug aria-hidden className="size-4 shrink-0" />
          Live updates are interrupted. Until they are back, this page looks for changes now and then.
        </span>
      )}
    </p>
  );
}
