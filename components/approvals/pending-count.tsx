"use client";
import { CountBadge } from "../shell/count-badge.tsx";
import { usePendingCount } from "./use-pending-count.ts";

/** How many changes wait, beside the name of their page. */
export function PendingCount({ narrow }: { narrow: boolean }) {
  return <CountBadge count={usePendingCount()} narrow={narrow} />;
}
