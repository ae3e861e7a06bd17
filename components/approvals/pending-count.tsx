"use client";
import { CountBadge } from "../shell/count-badge.tsx";
import { usePendingCount } from "./use-pending-count.ts";

/** The number of pending changes, next to the page's link. */
export function PendingCount({ narrow }: { narrow: boolean }) {
  return <CountBadge count={usePendingCount()} narrow={narrow} />;
}
