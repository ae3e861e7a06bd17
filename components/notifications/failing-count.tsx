"use client";
import { CountBadge } from "../shell/count-badge.tsx";
import { useFailingDeliveries } from "./use-failing-deliveries.ts";

/** The number of deliveries that need attention, next to the page's link. */
export function FailingCount({ narrow }: { narrow: boolean }) {
  return <CountBadge count={useFailingDeliveries()} narrow={narrow} word="failing" />;
}
