"use client";
import { CountBadge } from "../shell/count-badge.tsx";
import { useFailingDeliveries } from "./use-failing-deliveries.ts";

/** How many deliveries need attention, beside the name of their page. */
export function FailingCount({ narrow }: { narrow: boolean }) {
  return <CountBadge count={useFailingDeliveries()} narrow={narrow} word="failing" />;
}
